package io.polytable.sql.tier.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FootersTest {
    @TempDir
    private Path directory = Path.of("");

    private final Footers footers = new Footers();

    /** Its commit was lost, and the next flush got the same number. */
    @Test
    void aFileThatWasReplacedIsReadAgain() throws IOException {
        Path file = directory.resolve("file.parquet");
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")));
                Session session = face.session("root")) {
            Files.copy(flushed(session, "a", 3), file);
            assertThat(rows(file)).isEqualTo(3);
            Path fresh = directory.resolve("fresh");
            Files.copy(flushed(session, "b", 5), fresh);
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(rows(file)).isEqualTo(5);
        }
    }

    private long rows(Path file) {
        return footers.of(file).getBlocks().stream()
                .mapToLong(block -> block.getRowCount())
                .sum();
    }

    private Path flushed(Session session, String table, int rows) throws IOException {
        session.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY)");
        session.execute("INSERT INTO " + table + " SELECT i FROM range(" + rows + ") AS r(i)");
        session.execute("FLUSH TABLE " + table);
        try (Stream<Path> files = Files.walk(directory.resolve("sql"))) {
            return files.filter(file -> file.toString().contains("/" + table + "/"))
                    .filter(file -> file.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
