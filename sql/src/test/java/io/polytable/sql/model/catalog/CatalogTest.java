package io.polytable.sql.model.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.table.ColdTier;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogTest {
    private static final InstantSource STOPPED = InstantSource.fixed(Instant.parse("2024-05-06T07:08:09Z"));

    @TempDir
    private Path directory = Path.of("");

    private final MemoryStore store = new MemoryStore();

    @AfterEach
    void close() {
        store.close();
    }

    private Catalog open() {
        return Catalog.open(store, directory, STOPPED, ColdTier.NONE);
    }

    private static ColumnDef column(String name, SqlType type) {
        return new ColumnDef(0, name, type, false, 0, null, null, null);
    }

    private static SqlTable created(Catalog catalog, String name) {
        return catalog.createTable(new NewTable(
                new TableName(Catalog.DEFAULT, name),
                TableKind.SHARED,
                List.of(column("id", SqlType.INT), column("v", SqlType.INT)),
                List.of("id"),
                List.of(List.of("v")),
                List.of(),
                Map.of()));
    }

    @Test
    void aDefinitionThatCannotBeReadIsNotCommitted() {
        Catalog catalog = open();
        SqlTable table = created(catalog, "t");
        assertThatThrownBy(() -> catalog.alter(
                        table, def -> Alterations.addColumn(def, column("d", SqlType.DATE), "no date at all")))
                .isInstanceOf(SqlError.class);
        SqlTable reopened = open().state().table(table.name()).orElseThrow();
        assertThat(reopened.def().columns()).hasSize(2);
    }

    @Test
    void tablesOfOneMomentHaveIndexesOfTheirOwn() {
        Catalog catalog = open();
        String first = index(created(catalog, "a"));
        String second = index(created(catalog, "b"));
        assertThat(first).isNotEqualTo(second);
    }

    private static String index(SqlTable table) {
        return table.def().indexes().stream()
                .map(IndexDef::physical)
                .findFirst()
                .orElseThrow();
    }
}
