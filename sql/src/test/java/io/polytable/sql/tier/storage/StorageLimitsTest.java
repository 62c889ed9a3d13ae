package io.polytable.sql.tier.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What CREATE and ALTER STORAGE may reach, and who can read the files. */
class StorageLimitsTest {
    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();

    @AfterEach
    void close() {
        store.close();
    }

    private Storages storages(String roots, String endpoints) {
        return new Storages(
                store,
                directory.resolve("local"),
                directory.resolve("staging"),
                StorageLimits.of(roots, endpoints),
                InstantSource.system());
    }

    private static void refused(String setting, Runnable change) {
        assertThatThrownBy(change::run).isInstanceOfSatisfying(SqlError.class, error -> {
            assertThat(error.code()).isEqualTo(SqlCode.NOT_ALLOWED);
            assertThat(error.text()).contains(setting);
        });
    }

    private Map<String, String> at(String path) {
        return Map.of("path", directory.resolve(path).toString());
    }

    private static Map<String, String> endpoint(String endpoint) {
        return Map.of("bucket", "tables", "endpoint", endpoint);
    }

    @Test
    void directoriesAreBelowARoot() throws IOException {
        try (Storages storages = storages(directory.resolve("a") + ", " + directory.resolve("b"), "")) {
            storages.create("one", "filesystem", at("a/archive"));
            storages.create("two", "filesystem", at("b"));
            refused("sql.storage.roots", () -> storages.create("three", "filesystem", at("ab")));
            refused("sql.storage.roots", () -> storages.create("three", "filesystem", at("a/../c")));
            refused("sql.storage.roots", () -> storages.alter("one", at("c"), false));
            Files.createDirectories(directory.resolve("a"));
            Files.createSymbolicLink(directory.resolve("a/link"), directory);
            refused("sql.storage.roots", () -> storages.create("three", "filesystem", at("a/link/c")));
            assertThat(storages.find("three")).isEmpty();
        }
        try (Storages storages = storages("", "")) {
            assertThat(storages.find("one")).as("defined before").isPresent();
            refused("sql.storage.roots", () -> storages.create("three", "filesystem", at("a")));
        }
        try (Storages storages = storages("*", "")) {
            storages.create("three", "filesystem", at("c"));
        }
    }

    @Test
    void endpointsAreListed() {
        try (Storages storages = storages("", "http://localhost:9000, https://S3.example.org")) {
            storages.create("aws", "s3", Map.of("bucket", "tables"));
            storages.create("one", "s3", endpoint("http://LOCALHOST:9000/"));
            storages.create("two", "s3", endpoint("https://s3.example.org:443"));
            refused("sql.storage.endpoints", () -> storages.create("three", "s3", endpoint("http://localhost:9001")));
            refused("sql.storage.endpoints", () -> storages.create("three", "s3", endpoint("https://localhost:9000")));
            refused("sql.storage.endpoints", () -> storages.alter("one", endpoint("http://169.254.169.254"), false));
        }
    }

    @Test
    void filesAreReadableByTheirOwnerAlone() throws IOException {
        Path base = directory.resolve("files");
        try (Storage storage = new FileStorage(base, Duration.ZERO, InstantSource.system())) {
            storage.write("a/manifest.json", new byte[] {1});
            Path temporary = storage.temporary("a/batch.parquet");
            Files.write(temporary, new byte[] {2});
            storage.publish(temporary, "a/batch.parquet");
        }
        for (String name : new String[] {"a/manifest.json", "a/batch.parquet"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base.resolve(name))))
                    .as(name)
                    .isEqualTo("rw-------");
        }
    }
}
