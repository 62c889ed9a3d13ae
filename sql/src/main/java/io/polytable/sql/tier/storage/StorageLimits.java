package io.polytable.sql.tier.storage;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What CREATE STORAGE may reach: directories below one of the roots, and S3 services at one of the endpoints. The
 * regional endpoints of AWS, which a storage without an endpoint uses, are always allowed.
 *
 * @param roots empty for any directory
 * @param endpoints empty for any endpoint
 * @param keptDeleted how long files are kept that were deleted from a directory
 */
public record StorageLimits(Optional<List<Path>> roots, Optional<List<URI>> endpoints, Duration keptDeleted) {
    /** No limits, for programs that embed the library. */
    public static final StorageLimits NONE = new StorageLimits(Optional.empty(), Optional.empty(), Duration.ZERO);

    private static final String ANY = "*";
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * The limits of a configuration, values separated by commas; {@code *} allows all.
     *
     * @throws IllegalArgumentException if a value is not a path or not a URI
     */
    public static StorageLimits of(String roots, String endpoints) {
        return new StorageLimits(
                values(roots)
                        .map(all -> all.stream()
                                .map(root -> Path.of(root).toAbsolutePath().normalize())
                                .toList()),
                values(endpoints)
                        .map(all -> all.stream().map(StorageLimits::endpoint).toList()),
                Duration.ZERO);
    }

    /** A copy that keeps deleted files for a while. */
    public StorageLimits withKeptDeleted(Duration time) {
        return new StorageLimits(roots, endpoints, time);
    }

    private static Optional<List<String>> values(String text) {
        List<String> all = Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
        return all.contains(ANY) ? Optional.empty() : Optional.of(all);
    }

    /** Scheme, host and port: the rest does not decide which server is reached. */
    private static URI endpoint(String text) {
        URI uri = URI.create(text);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("http") ? HTTP : HTTPS;
        return URI.create(scheme + "://" + host + ":" + port);
    }

    void check(StorageDef storage) {
        if (storage.type() == StorageDef.Type.FILESYSTEM) {
            checkPath(Path.of(storage.base()));
        } else {
            Optional.ofNullable(storage.options().get("endpoint")).ifPresent(this::checkEndpoint);
        }
    }

    private void checkPath(Path base) {
        Path real = real(base);
        if (roots.isPresent() && roots.get().stream().noneMatch(root -> real.startsWith(real(root)))) {
            throw new SqlError(
                    SqlCode.NOT_ALLOWED,
                    "'" + base + "' is not below a directory that the setting sql.storage.roots allows");
        }
    }

    private void checkEndpoint(String text) {
        try {
            if (endpoints.isPresent() && !endpoints.get().contains(endpoint(text))) {
                throw new SqlError(
                        SqlCode.NOT_ALLOWED,
                        "'" + text + "' is not an endpoint that the setting sql.storage.endpoints allows");
            }
        } catch (IllegalArgumentException notOne) {
            throw new SqlError(SqlCode.INVALID_DEFINITION, "'" + text + "' is not an endpoint");
        }
    }

    /** Follows symbolic links as far as the path exists: a link below a root must not lead elsewhere. */
    private static Path real(Path path) {
        Path existing = path;
        while (existing != null) {
            try {
                return existing.toRealPath()
                        .resolve(existing.relativize(path).toString())
                        .normalize();
            } catch (IOException absent) {
                existing = existing.getParent();
            }
        }
        return path;
    }
}
