package io.polytable.sql.tier.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A storage in an S3 bucket. An object becomes visible when its upload ends, so publishing is one upload. */
final class S3Storage implements Storage {
    /**
     * How long a call takes at most.
     *
     * @param call includes the retries of the client
     * @param bytesPerSecondMin a slower connection counts as broken
     */
    record Timeouts(Duration call, Duration attempt, long bytesPerSecondMin) {
        static final Timeouts DEFAULT = new Timeouts(Duration.ofMinutes(2), Duration.ofMinutes(1), 1 << 20);

        /**
         * Grows with the file: otherwise a flush or a download of many rows would never succeed, however often it is
         * retried.
         */
        Duration ofFile(long bytes) {
            return call.plusSeconds(bytes / bytesPerSecondMin);
        }
    }

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final Path staging;
    private final Timeouts timeouts;

    private S3Storage(S3Client client, String bucket, String prefix, Path staging, Timeouts timeouts) {
        this.timeouts = timeouts;
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
        this.staging = staging;
    }

    static S3Storage open(StorageDef def, Path staging) {
        return open(def, staging, Timeouts.DEFAULT);
    }

    static S3Storage open(StorageDef def, Path staging, Timeouts timeouts) {
        Map<String, String> options = def.options();
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_MAX)
                        .socketTimeout(timeouts.attempt()))
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .apiCallTimeout(timeouts.call())
                        .apiCallAttemptTimeout(timeouts.attempt())
                        .build())
                .region(Region.of(options.getOrDefault("region", "us-east-1")))
                .forcePathStyle(Boolean.parseBoolean(
                        options.getOrDefault("path_style", Boolean.toString(options.containsKey("endpoint")))))
                .credentialsProvider(credentials(options));
        if (options.containsKey("endpoint")) {
            builder.endpointOverride(URI.create(options.get("endpoint")));
        }
        return new S3Storage(builder.build(), def.base(), options.getOrDefault("prefix", ""), staging, timeouts);
    }

    /** The keys of the definition, or the default credentials of the environment. */
    private static AwsCredentialsProvider credentials(Map<String, String> options) {
        String access = options.get("access_key");
        String secret = options.get("secret_key");
        return access == null || secret == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(AwsBasicCredentials.create(access, secret));
    }

    private static <T> T asked(String text, String path, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException failure) {
            throw new StorageFailure(text + " " + path + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public Path temporary(String path) {
        try {
            Files.createDirectories(staging);
        } catch (IOException failure) {
            throw new StorageFailure("There is no space to write " + path, failure);
        }
        return OwnerOnly.created(staging.resolve(UUID.randomUUID() + ".tmp"));
    }

    private Duration uploadMax(Path file) {
        try {
            return timeouts.ofFile(Files.size(file));
        } catch (IOException gone) {
            throw new StorageFailure("A temporary file cannot be read", gone);
        }
    }

    @Override
    public void publish(Path temporary, String path) {
        asked(
                "An upload failed:",
                path,
                () -> client.putObject(
                        request -> request.bucket(bucket)
                                .key(prefix + path)
                                .overrideConfiguration(limits -> limits.apiCallTimeout(uploadMax(temporary))
                                        .apiCallAttemptTimeout(uploadMax(temporary))),
                        RequestBody.fromFile(temporary)));
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException left) {
            throw new StorageFailure("A temporary file cannot be deleted", left);
        }
    }

    @Override
    public void writeAll(Map<String, byte[]> files) {
        files.forEach((path, content) -> asked(
                "An upload failed:",
                path,
                () -> client.putObject(
                        request -> request.bucket(bucket).key(prefix + path), RequestBody.fromBytes(content))));
    }

    @Override
    public Optional<byte[]> read(String path) {
        try {
            return Optional.of(asked(
                    "A download failed:",
                    path,
                    () -> client.getObject(
                                    request -> request.bucket(bucket).key(prefix + path), ResponseTransformer.toBytes())
                            .asByteArray()));
        } catch (StorageFailure failure) {
            if (failure.getCause() instanceof NoSuchKeyException) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public void fetch(String path, Path to) {
        try {
            asked("A download failed:", path, () -> {
                long bytes = client.headObject(request -> request.bucket(bucket).key(prefix + path))
                        .contentLength();
                return client.getObject(
                        request -> request.bucket(bucket)
                                .key(prefix + path)
                                .overrideConfiguration(limits -> limits.apiCallTimeout(timeouts.ofFile(bytes))
                                        .apiCallAttemptTimeout(timeouts.ofFile(bytes))),
                        ResponseTransformer.toFile(to));
            });
        } catch (StorageFailure failure) {
            throw failure.getCause() instanceof NoSuchKeyException absent
                    ? StorageFailure.absent(path, absent)
                    : failure;
        }
    }

    @Override
    public Optional<FileStatus> status(String path) {
        try {
            HeadObjectResponse head = asked(
                    "A file cannot be found:",
                    path,
                    () -> client.headObject(request -> request.bucket(bucket).key(prefix + path)));
            return Optional.of(new FileStatus(
                    head.contentLength(), Optional.ofNullable(head.eTag()), Optional.ofNullable(head.versionId())));
        } catch (StorageFailure failure) {
            if (failure.getCause() instanceof NoSuchKeyException) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public Optional<Path> local(String path) {
        return Optional.empty();
    }

    @Override
    public void delete(String path) {
        asked(
                "A file cannot be deleted:",
                path,
                () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + path)));
    }

    @Override
    public void list(String path, Consumer<String> action) {
        asked("Files cannot be listed:", path, () -> {
            client
                    .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix + path + "/"))
                    .contents()
                    .stream()
                    .map(S3Object::key)
                    .map(key -> key.substring(prefix.length()))
                    .forEach(action);
            return true;
        });
    }

    @Override
    public void close() {
        client.close();
    }
}
