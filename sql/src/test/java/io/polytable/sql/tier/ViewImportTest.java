package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** IMPORT into tables that another frontend shows. */
class ViewImportTest {
    private static final List<Column> COLUMNS = List.of(
            new Column("k", ColumnType.BYTES),
            new Column("t", ColumnType.STRING),
            new Column("b", ColumnType.BOOLEAN),
            new Column("i", ColumnType.INT),
            new Column("l", ColumnType.BIGINT),
            new Column("d", ColumnType.DOUBLE),
            new Column("m", ColumnType.TIMESTAMP));

    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();
    private final List<List<Value>> kept = new ArrayList<>();
    private final List<List<Value>> taken = new ArrayList<>();
    private SqlFace face = SqlFace.open(store, SqlOptions.in(Path.of(System.getProperty("java.io.tmpdir"))));
    private Session session = face.session("root");

    /** Rows in a list. */
    private record ListView(
            TableName name, List<List<Value>> rows, Optional<ViewImport> importer, Optional<TableName> importedInto)
            implements View {
        @Override
        public List<Column> columns() {
            return COLUMNS;
        }

        @Override
        public List<String> key() {
            return List.of("k");
        }

        @Override
        public ViewRows candidates(Reader reader, ViewScan scan) {
            return new ViewRows() {
                private int at = -1;

                @Override
                public boolean next() {
                    return ++at < rows.size();
                }

                @Override
                public void add(int column, ColumnVector target) {
                    target.add(rows.get(at).get(column));
                }

                @Override
                public void close() {}
            };
        }
    }

    private void take(List<List<Value>> rows) {
        if (rows.stream().anyMatch(row -> row.get(1).equals(new Value.OfString("bad")))) {
            throw new StoreException(StoreError.BAD_VALUE, "Not this one");
        }
        taken.addAll(rows);
    }

    private static TableName named(String name) {
        return new TableName("default", name);
    }

    @BeforeEach
    void open() {
        close();
        List<View> views = List.of(
                new ListView(named("source"), kept, Optional.empty(), Optional.empty()),
                new ListView(named("target"), taken, Optional.of(this::take), Optional.empty()),
                new ListView(named("part"), List.of(), Optional.empty(), Optional.of(named("target"))));
        face = SqlFace.open(store, SqlOptions.in(directory.resolve("sql")), () -> views, InstantSource.system());
        session = face.session("root");
    }

    @AfterEach
    void close() {
        session.close();
        face.close();
    }

    private long run(String sql) {
        return TierFixture.run(session, sql);
    }

    private static Value bytes(int number) {
        return new Value.OfBytes(Bytes.of(new byte[] {(byte) (number >> 8), (byte) number, 0, -1}));
    }

    @Test
    void whatWasExportedIsTakenBackInItsOrder() {
        for (int i = 1200; i > 0; i--) {
            boolean sparse = i % 3 == 0;
            kept.add(List.of(
                    bytes(i),
                    sparse ? new Value.Absent() : new Value.OfString("täxt " + i),
                    new Value.OfBoolean(i % 2 == 0),
                    sparse ? new Value.Absent() : new Value.OfInt(-i),
                    new Value.OfBigint(i * 10_000_000_000L),
                    sparse ? new Value.OfDouble(Double.NEGATIVE_INFINITY) : new Value.OfDouble(i / 3.0),
                    sparse ? new Value.Absent() : new Value.OfTimestamp(1_700_000_000_000_001L + i)));
        }
        assertThat(run("EXPORT TABLE source TO PARQUET 'x.parquet'")).isEqualTo(1200);
        assertThat(run("IMPORT INTO target FROM PARQUET 'x.parquet'")).isEqualTo(1200);
        assertThat(taken).isEqualTo(kept);
    }

    @Test
    void whatCannotBeTakenBackIsATypedError() {
        kept.add(List.of(
                bytes(1),
                new Value.OfString("bad"),
                new Value.Absent(),
                new Value.Absent(),
                new Value.Absent(),
                new Value.Absent(),
                new Value.Absent()));
        run("EXPORT TABLE source TO PARQUET 'x.parquet'");
        assertThatThrownBy(() -> run("IMPORT INTO part FROM PARQUET 'x.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("target\" instead");
        assertThatThrownBy(() -> run("IMPORT INTO source FROM PARQUET 'x.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("cannot be imported");
        assertThatThrownBy(() -> run("IMPORT INTO target FROM PARQUET 'x.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("Not this one");
        assertThatThrownBy(() -> run("IMPORT INTO system.jobs FROM PARQUET 'x.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("cannot be written");
        run("CREATE TABLE other (id INT PRIMARY KEY)");
        run("EXPORT TABLE other TO PARQUET 'other.parquet'");
        assertThatThrownBy(() -> run("IMPORT INTO target FROM PARQUET 'other.parquet'"))
                .isInstanceOf(SqlError.class)
                .hasMessageContaining("is not in");
        assertThat(taken).isEmpty();
    }
}
