package io.polytable.entity.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the documentation run. */
class DocumentedStatementsTest {
    private static final Pattern BLOCK = Pattern.compile("```ddl\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    @Test
    void everyBlockRuns() throws IOException {
        Path root = Path.of(System.getProperty("polytable.root", ".."));
        Matcher blocks = BLOCK.matcher(Files.readString(root.resolve("docs/entity.md")));
        StringWriter out = new StringWriter();
        int count = 0;
        try (DdlSession session = new DdlSession(EntityUri.embedded(directory), new PrintWriter(out))) {
            while (blocks.find()) {
                session.run(blocks.group(1));
                count++;
            }
            session.run("HELP;");
        }
        assertThat(count).isPositive();
        assertThat(out.toString())
                .contains(
                        "created table users\n",
                        "~ column info:mail: name email -> mail\n",
                        "\nusers\n",
                        "CREATE TABLE users");
    }
}
