package io.polytable.sql.model.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import io.polytable.table.WriteBuffers;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options {@code memtable_size} and {@code write_buffer}. */
@Timeout(60)
class WriteBuffersOptionTest {
    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private SqlFace face;
    private Session session;

    @BeforeEach
    void open() {
        face = SqlFace.open(store, SqlOptions.in(directory));
        session = face.session("root");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
        store.close();
    }

    private Optional<WriteBuffers> buffers() {
        return store.find(new TableName("default", "t"))
                .orElseThrow()
                .spec()
                .options()
                .buffers();
    }

    @ParameterizedTest
    @CsvSource({
        "TABLE, memtable_size = '32MB', 32, 64",
        "TABLE, write_buffer = '256MB', 64, 256",
        "USER TABLE, 'memtable_size = ''1024KB'', write_buffer = ''3mb''', 1, 3",
        "STREAM TABLE, 'write_buffer = ''48 MB'', ttl_seconds = 10', 16, 48"
    })
    void aTableHasTheBuffersItAsksFor(String kind, String options, int memtable, int total) {
        session.execute("CREATE " + kind + " t (id INT PRIMARY KEY) WITH (" + options + ")");
        assertThat(buffers()).contains(new WriteBuffers((long) memtable << 20, (long) total << 20));
    }

    @Test
    void otherTablesHaveThoseOfTheirKind() {
        session.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        assertThat(buffers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memtable_size = '0'",
                "memtable_size = '2GB'",
                "memtable_size = 'much'",
                "memtable_size = '99999999999999999999'",
                "write_buffer = '64MB'",
                "write_buffer = '100GB'",
                "memtable_size = '64MB', write_buffer = '64MB'"
            })
    void sizesOutOfBoundsAreRefused(String options) {
        assertCode("CREATE TABLE t (id INT PRIMARY KEY) WITH (" + options + ")", SqlCode.INVALID_DEFINITION);
    }

    @Test
    void theyCannotChange() {
        session.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        assertCode("ALTER TABLE t SET (memtable_size = '32MB')", SqlCode.UNSUPPORTED);
    }

    private void assertCode(String statement, SqlCode code) {
        assertThatThrownBy(() -> session.execute(statement))
                .isInstanceOfSatisfying(
                        SqlError.class, error -> assertThat(error.code()).isEqualTo(code));
    }
}
