package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.server.assembly.Assembly;
import io.polytable.server.config.CommandLineWords;
import io.polytable.server.config.Configuration;
import io.polytable.server.run.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
                Configuration.load(
                        CommandLineWords.of(List.of(
                                "--data.dir=" + data,
                                "--redis.port=0",
                                "--hbase.enabled=false",
                                "--http.port=0",
                                "--memory.rows=32mb",
                                "--memory.blocks=128mb",
                                "--sql.memory=128mb")),
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
        assertThat(PolytableCommand.run(Assembly.parts(), "sql", "-c", "SELECT 1", "--data.dir=" + data))
                .isZero();
        assertThat(server.stop()).isTrue();
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
