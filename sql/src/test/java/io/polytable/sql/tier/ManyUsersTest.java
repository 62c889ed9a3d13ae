package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flushes many users with few rows each in a process whose heap cannot hold all of their files or manifests. */
class ManyUsersTest {
    private static final int ROWS = 3;
    private static final int HEAP_MEGABYTES = 200;

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({"200, false", "1000, true"})
    void everyUserFindsItsRows(int users, boolean packed) throws Exception {
        verify(users, packed);
    }

    @Tag("crash")
    @ParameterizedTest
    @CsvSource({"100000, false", "100000, true"})
    void aHundredThousandUsersFindTheirRows(int users, boolean packed) throws Exception {
        verify(users, packed);
    }

    private void verify(int users, boolean packed) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx" + HEAP_MEGABYTES + "m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Flushing.class.getName(),
                        directory.toString(),
                        Integer.toString(users),
                        Boolean.toString(packed))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> output = Files.readAllLines(directory.resolve("output"));
        assertThat(process.exitValue()).as("%s", output).isZero();
        assertThat(output)
                .contains("flushed " + (long) users * ROWS, "files " + (packed ? 1 : users), "found " + users);
    }

    /** The process. */
    static final class Flushing {
        private Flushing() {}

        /** Arguments: a directory, how many users, whether their rows go into one file. */
        public static void main(String[] arguments) throws IOException, SQLException {
            Path directory = Path.of(arguments[0]);
            int users = Integer.parseInt(arguments[1]);
            EngineOptions options = EngineOptions.DEFAULT
                    .withMemory(24L << 20, 16L << 20)
                    .withGenerations(
                            4L << 20, EngineOptions.DEFAULT.generations().age());
            try (TableStore store = EmbeddedStore.open(directory.resolve("store"), options, FileLogOptions.defaults());
                    SqlFace face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")));
                    Session root = face.session("root")) {
                given(directory.resolve("sql/tables/exports"), users);
                HaltingWriter.run(root, "SET statement_timeout = '1h'");
                HaltingWriter.run(
                        root,
                        "CREATE USER TABLE basket (item BIGINT PRIMARY KEY, v INT) WITH (packed = " + arguments[2]
                                + ")");
                HaltingWriter.run(root, "IMPORT INTO basket FROM PARQUET 'given.parquet'");
                System.out.println("flushed " + HaltingWriter.run(root, "FLUSH TABLE basket"));
                System.out.println("files "
                        + TierFixture.ask(root, "SELECT CAST(sum(files) AS BIGINT) FROM system.manifests")
                                .get(0));
                System.out.println("found " + found(face, users));
            }
        }

        private static void given(Path exports, int users) throws IOException, SQLException {
            Files.createDirectories(exports);
            try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = duck.createStatement()) {
                statement.execute("COPY (SELECT 'u' || (i // " + ROWS + ") AS _user_id, i % " + ROWS
                        + " AS item, CAST(i AS INT) AS v FROM range(" + (long) users * ROWS + ") AS r(i)) TO '"
                        + exports.resolve("given.parquet") + "'");
            }
        }

        /** Reads a few of them, by key and through DuckDB. */
        private static int found(SqlFace face, int users) {
            for (int user = 0; user < users; user += Math.max(1, users / 50)) {
                try (Session session = face.session("u" + user)) {
                    List<String> one = TierFixture.ask(session, "SELECT v FROM basket WHERE item = 2");
                    List<String> all = TierFixture.ask(session, "SELECT count(*), min(v) FROM basket");
                    int first = user * ROWS;
                    if (!one.equals(List.of(Integer.toString(first + 2)))
                            || !all.equals(List.of(ROWS + " | " + first))) {
                        throw new IllegalStateException("user " + user + " has " + one + " and " + all);
                    }
                }
            }
            return users;
        }
    }
}
