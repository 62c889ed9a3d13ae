package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.net.SelfSigned;
import io.polytable.frontend.net.Tls;
import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.Server;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code polytable sql} beside a running server: formats, errors, imports. */
@Timeout(120)
class SqlCommandTest {
    @TempDir
    private Path directory;

    @Test
    void asksPrintsAndImports() throws IOException {
        Path data = directory.resolve("data");
        Server server = Server.start(
                ServerCatalog.load(
                        List.of(
                                "--data.dir=" + data,
                                "--redis.port=0",
                                "--hbase.enabled=false",
                                "--http.port=0",
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb",
                                "--sql.memory=128mb"),
                        Map.of()),
                Assembly.parts(),
                () -> {});
        SqlClient client = SqlClient.of(data);
        assertThat(shown(client, ResultPrinter.Form.TABLE, "CREATE TABLE t (id INT PRIMARY KEY, v TEXT)"))
                .isEqualTo("CREATE TABLE\n");
        Path file = directory.resolve("rows.csv");
        Files.writeString(file, "id,v\n1,one\n2,\"two, too\"\nthree,bad\n4,\n");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new FileImport(client, new PrintWriter(out, true), new PrintWriter(err, true)).run(file, "t");
        assertThat(code).isEqualTo(ExitCode.REFUSED);
        assertThat(out.toString()).isEqualTo("3 rows imported into t, 1 refused\n");
        assertThat(err.toString()).contains("refused ('three', 'bad'): invalid input syntax for type int");
        assertThat(shown(client, ResultPrinter.Form.TABLE, "SELECT * FROM t ORDER BY id"))
                .isEqualTo(" id | v\n----+----------\n 1  | one\n 2  | two, too\n 4  |\n(3 rows)\n");
        assertThat(shown(client, ResultPrinter.Form.CSV, "SELECT * FROM t WHERE id = 2"))
                .isEqualTo("id,v\n2,\"two, too\"\n");
        assertThat(shown(client, ResultPrinter.Form.JSON, "SELECT * FROM t WHERE id < 3"))
                .isEqualTo("[[1,\"one\"],[2,\"two, too\"]]\n");
        assertThat(shown(client, ResultPrinter.Form.TABLE, "SELECT nothing FROM t"))
                .startsWith("ERROR UNDEFINED_COLUMN")
                .contains("line 1, column 8");
        assertThat(shown(
                        client,
                        ResultPrinter.Form.CSV,
                        "SELECT 1.00::decimal(9,2) AS a, 12345678901234567890.10::decimal(30,2) AS b,"
                                + " 0.00000001::decimal(9,8) AS c, 1.5::double AS d, 1e300::double AS e"))
                .as("decimals keep their digits")
                .isEqualTo("a,b,c,d,e\n1.00,12345678901234567890.10,0.00000001,1.5,1.0E+300\n");
        importsJsonAndParquet(client);
        commandsFilesAndPipes(data);
        largeFiles(client, data);
        prompt(client);
        assertThat(server.stop()).isTrue();
    }

    @Test
    void asksAServerByItsAddress() {
        Server server = Server.start(
                ServerCatalog.load(
                        List.of(
                                "--data.dir=" + directory.resolve("remote"),
                                "--redis.port=0",
                                "--redis.requirepass=secret",
                                "--hbase.enabled=false",
                                "--http.port=0",
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb",
                                "--sql.memory=128mb"),
                        Map.of()),
                Assembly.parts(),
                () -> {});
        int port = server.httpPort();
        assertThat(shown(remote("127.0.0.1", port, "root", "secret"), ResultPrinter.Form.CSV, "SELECT 1 AS one"))
                .isEqualTo("one\n1\n");
        assertThat(shown(remote("localhost", port, "root", ""), ResultPrinter.Form.CSV, "SELECT 1"))
                .startsWith("ERROR UNAUTHENTICATED");
        for (String user : List.of("root", "ann")) {
            assertThatThrownBy(() -> remote("localhost", port, user, "guess").ask("SELECT 1"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("The login of " + user + " failed: authentication failed");
        }
        assertThat(server.stop()).isTrue();
        assertThatThrownBy(() -> remote("127.0.0.1", port, "root", "secret").ask("SELECT 1"))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "The server cannot be reached at http://127.0.0.1:" + port + "/v1/api/sql: connection refused");
    }

    @Test
    void asksAServerOverTlsAndLogsInAgain() throws Exception {
        Tls.Identity own = SelfSigned.write(directory.resolve("own"), List.of("localhost"));
        Tls.Identity other = SelfSigned.write(directory.resolve("other"), List.of("localhost"));
        Server server = Server.start(
                ServerCatalog.load(
                        List.of(
                                "--data.dir=" + directory.resolve("tls"),
                                "--redis.port=0",
                                "--redis.requirepass=secret",
                                "--hbase.enabled=false",
                                "--http.port=0",
                                "--tls.certificate=" + own.certificate(),
                                "--tls.key=" + own.key(),
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb",
                                "--sql.memory=128mb"),
                        Map.of()),
                Assembly.parts(),
                () -> {});
        int port = server.httpPort();
        SqlClient root =
                SqlClient.of("localhost", port, "root", "secret", Optional.of(Authorities.context(own.certificate())));
        assertThat(shown(root, ResultPrinter.Form.TABLE, "CREATE USER ann PASSWORD 'pencil'"))
                .isEqualTo("CREATE ROLE\n");
        SqlClient ann =
                SqlClient.of("localhost", port, "ann", "pencil", Optional.of(Authorities.context(own.certificate())));
        assertThat(shown(ann, ResultPrinter.Form.CSV, "SELECT CURRENT_USER AS who"))
                .isEqualTo("who\nann\n");
        assertThat(shown(root, ResultPrinter.Form.TABLE, "ALTER USER ann PASSWORD 'pencil'"))
                .isEqualTo("ALTER ROLE\n");
        assertThat(shown(ann, ResultPrinter.Form.CSV, "SELECT CURRENT_USER AS who"))
                .as("its login had ended")
                .isEqualTo("who\nann\n");
        assertThatThrownBy(() -> SqlClient.of(
                                "localhost",
                                port,
                                "root",
                                "secret",
                                Optional.of(Authorities.context(other.certificate())))
                        .ask("SELECT 1"))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("The server cannot be reached at https://localhost:");
        assertThat(server.stop()).isTrue();
    }

    private static SqlClient remote(String host, int port, String user, String password) {
        return SqlClient.of(host, port, user, password, Optional.empty());
    }

    private void importsJsonAndParquet(SqlClient client) throws IOException {
        Path json = directory.resolve("rows.json");
        Files.writeString(
                json, "[{\"id\": 10, \"v\": \"it's\"}, {\"id\": 11, \"v\": null}, {\"id\": 1, \"v\": \"again\"}]");
        Path parquet = directory.resolve("rows.parquet");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT range + 20 AS id, 'p' || range AS v FROM range(1200)) TO '" + parquet
                    + "' (FORMAT PARQUET)");
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(new FileImport(client, new PrintWriter(out, true), new PrintWriter(err, true)).run(json, "t"))
                .isEqualTo(ExitCode.REFUSED);
        assertThat(new FileImport(client, new PrintWriter(out, true), new PrintWriter(err, true)).run(parquet, "t"))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString()).isEqualTo("2 rows imported into t, 1 refused\n1200 rows imported into t\n");
        assertThat(err.toString()).contains("refused ('1', 'again'): duplicate key value");
        assertThat(shown(client, ResultPrinter.Form.CSV, "SELECT count(*) AS n, max(v) AS v FROM t WHERE id >= 10"))
                .isEqualTo("n,v\n1202,p999\n");
    }

    /** Everything that ends by itself: {@code -c}, {@code -f}, standard input, {@code --import}; and how it ends. */
    private void commandsFilesAndPipes(Path data) throws IOException {
        String where = "--data.dir=" + data;
        assertThat(command("", "sql", "-c", "SELECT id, v FROM t WHERE id = 1", "--format=csv", where))
                .isEqualTo("0 id,v\n1,one\n");
        assertThat(command("", "sql", "-c", "SELECT broken FROM t", where)).startsWith(ExitCode.REFUSED + " ");
        Path file = directory.resolve("statements.sql");
        Files.writeString(
                file,
                "-- two statements\nINSERT INTO t VALUES (5000, 'it''s; five');\nSELECT v FROM t WHERE id = 5000;\n");
        assertThat(command("", "sql", "-f", file.toString(), "--format=json", where))
                .isEqualTo("0 [[\"it's; five\"]]\n");
        assertThat(command("SELECT count(*) AS n\nFROM t WHERE id = 5000;\n", "sql", "--format=csv", where))
                .isEqualTo("0 n\n1\n");
        Path rows = directory.resolve("more.csv");
        Files.writeString(rows, "v,id\nlast,6000\n");
        assertThat(command("", "sql", "--import=" + rows, "--into=t", where)).isEqualTo("0 1 rows imported into t\n");
    }

    /** A file of more than one request is one transaction too, unless it says otherwise. */
    private void largeFiles(SqlClient client, Path data) throws IOException {
        StringBuilder rows = new StringBuilder("CREATE TABLE large (id INT PRIMARY KEY, v TEXT);\n");
        String padding = "x".repeat(1000);
        for (int i = 0; i < 1200; i++) {
            rows.append("INSERT INTO large VALUES (")
                    .append(i)
                    .append(", 'it''s; ")
                    .append(padding)
                    .append("');\n");
        }
        Path file = directory.resolve("large.sql");
        Files.writeString(file, rows + "SELECT 1/0;\n");
        String where = "--data.dir=" + data;
        assertThat(command("", "sql", "-f", file.toString(), "--format=csv", where))
                .isEqualTo(ExitCode.REFUSED + " ");
        assertThat(shown(client, ResultPrinter.Form.CSV, "SELECT count(*) AS n FROM large"))
                .contains("UNDEFINED_TABLE");
        Files.writeString(file, rows + "SELECT count(*) AS n, max(length(v)) AS l FROM large;\n");
        assertThat(command("", "sql", "-f", file.toString(), "--format=csv", where))
                .isEqualTo("0 n,l\n1200,1006\n");
        Files.writeString(file, "BEGIN;\nDELETE FROM large WHERE id < 1000;\nCOMMIT;\n" + rows + "SELECT 1;\n");
        assertThat(command("", "sql", "-f", file.toString(), "--format=csv", where))
                .as("the table exists already")
                .isEqualTo(ExitCode.REFUSED + " ");
        assertThat(shown(client, ResultPrinter.Form.CSV, "SELECT count(*) AS n FROM large"))
                .as("what the file committed stays")
                .isEqualTo("n\n200\n");
    }

    /** The exit code and what was printed. */
    private static String command(String input, String... words) {
        InputStream in = System.in;
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            int code = PolytableCommand.run(Assembly.parts(), words);
            return code + " " + printed.toString(StandardCharsets.UTF_8);
        } finally {
            System.setIn(in);
            System.setOut(out);
        }
    }

    /** At a prompt: statements over several lines, commands, completion of names, history. */
    private void prompt(SqlClient client) throws IOException {
        Path history = directory.resolve("history");
        String keys = """
                SELECT v
                FROM t
                WHERE id = 1;
                \\dt
                \\d t
                \\format csv
                \\format nonsense
                SELECT v AS first FROM t WHERE id = 2;
                \\timing
                SELECT 7 AS seven;
                SELECT broken;
                SELECT redis_key FROM redis_int\tLIMIT 1;
                \\what
                \\q
                """;
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (Terminal terminal = new ExternalTerminal(
                "test",
                "ansi",
                new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                screen,
                StandardCharsets.UTF_8)) {
            new SqlShell(client, new ResultPrinter(new PrintWriter(out, true)), new PrintWriter(err, true))
                    .run(terminal, history);
        }
        assertThat(out.toString())
                .contains(" v\n-----\n one\n(1 row")
                .contains("| t ")
                .contains("first\n\"two, too\"\n")
                .contains("seven\n7\n");
        assertThat(err.toString())
                .contains("Formats are table, csv and json")
                .contains("Timing is on")
                .contains("UNDEFINED_COLUMN")
                .contains("\\dt tables");
        assertThat(screen.toString(StandardCharsets.UTF_8)).as("completed").contains("redis_internal_");
        assertThat(Files.readString(history)).contains("SELECT 7 AS seven;");
    }

    private static String shown(SqlClient client, ResultPrinter.Form form, String sql) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);
        ResultPrinter printer = new ResultPrinter(writer);
        printer.form(form);
        printer.print(client.ask(sql), writer);
        return out.toString();
    }
}
