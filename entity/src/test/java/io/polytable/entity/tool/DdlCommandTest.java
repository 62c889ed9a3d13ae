package io.polytable.entity.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.ddl.DdlSession;
import io.polytable.entity.uri.EntityUri;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The shell and the command around the table definition language. */
class DdlCommandTest {
    private static final String SCRIPT = """
            CREATE INSTANCE demo;
            CREATE TABLE t ROW KEY FORMAT RAW
              WITH LOCALITY GROUP g (FAMILY f (q "string" WITH DESCRIPTION 'a;
            b'));
            SHOW TABLES;
            """;

    @TempDir
    Path directory;

    @Test
    void statementsRunFromAFile() throws IOException {
        Path file = directory.resolve("script.ddl");
        Files.writeString(file, SCRIPT);
        StringWriter out = new StringWriter();
        int code = new CommandLine(new EntityCommand())
                .setOut(new PrintWriter(out))
                .execute("ddl", "polytable://" + directory.resolve("data") + "/demo", "-f", file.toString());
        assertThat(out).hasToString("created instance demo\ncreated table t\nt\n");
        assertThat(code).isZero();
    }

    @Test
    void theShellGoesOnBehindARefusal() throws IOException {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        String typed = SCRIPT + "DROP TABEL t;\nDROP TABLE u;\nSHOW TABLES;\nQUIT;\nDROP TABLE t;\n";
        try (DdlSession session = new DdlSession(uri, writer)) {
            DdlCommand.shell(session, new BufferedReader(new StringReader(typed)), writer, true);
        }
        assertThat(out.toString())
                .contains("entity> created instance demo\n")
                .contains("     ->      -> created table t\n")
                .contains("refused: Expected TABLE {column=6, found=TABEL, line=1}\n")
                .contains("refused: A statement failed {column=1, line=1")
                .endsWith("entity> t\nentity> ");
    }
}
