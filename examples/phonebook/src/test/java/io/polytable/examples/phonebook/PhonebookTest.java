package io.polytable.examples.phonebook;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.uri.EntityUri;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhonebookTest {
    @Test
    void everyStepGivesWhatItShould(@TempDir Path directory) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        Phonebook.run(EntityUri.embedded(directory).withInstance("phones"), out);
        assertThat(output.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "create: tables = [phonebook]",
                        "look up: email = john@example.com",
                        "import: lines read and rejected = [3, 1]",
                        "derive: cities = [Oakland, Oakland, Springfield, Washington]",
                        "count: minutes = 42",
                        "delete: people left = 3",
                        "delete by state: people left = [Bob,Jones]",
                        "done");
    }
}
