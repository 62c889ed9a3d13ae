package io.polytable.table.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * A program on this machine that tests compare with or drive. Where it is not installed, the test that asks for it is
 * skipped, with a message that says how to get it; under {@code -Dpolytable.ci=true} the test fails instead.
 */
public enum Program {
    REDIS_SERVER("redis-server", "redis-server"),
    REDIS_CLI("redis-cli", "redis-tools"),
    REDIS_CHECK_RDB("redis-check-rdb", "redis-tools"),
    CHROMIUM("chromium", "chromium"),
    CHROMEDRIVER("chromedriver", "chromium-driver");

    private final String file;
    private final String debianPackage;

    Program(String file, String debianPackage) {
        this.file = file;
        this.debianPackage = debianPackage;
    }

    /** Returns where the program is, or skips the calling test. */
    public Path require() {
        return find().orElseThrow(
                        () -> absent(file + " is not on the PATH; on Debian: apt-get install " + debianPackage));
    }

    /** Returns where the program is, if it is installed. */
    public Optional<Path> find() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, file))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** What a test throws that lacks something on this machine. */
    public static RuntimeException absent(String reason) {
        if (Boolean.getBoolean("polytable.ci")) {
            throw new AssertionError(reason);
        }
        return new TestAbortedException(reason);
    }
}
