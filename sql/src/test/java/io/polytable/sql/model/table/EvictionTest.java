package io.polytable.sql.model.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.NewTable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvictionTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void droppedTablesAreForgotten() {
        try (MemoryStore store = new MemoryStore()) {
            Catalog catalog = Catalog.open(store, directory, InstantSource.system(), ColdTier.NONE);
            Eviction eviction = new Eviction(store, InstantSource.system());
            SqlTable kept = created(catalog, "kept");
            eviction.run(kept);
            eviction.run(created(catalog, "dropped"));
            assertThat(eviction.remembered()).isEqualTo(2);
            eviction.retain(Set.of(kept.table().id()));
            assertThat(eviction.remembered()).isEqualTo(1);
        }
    }

    private static SqlTable created(Catalog catalog, String name) {
        return catalog.createTable(new NewTable(
                new TableName(Catalog.DEFAULT, name),
                TableKind.SHARED,
                List.of(new ColumnDef(0, "id", SqlType.INT, false, 0, null, null, null)),
                List.of("id"),
                List.of(),
                List.of(),
                Map.of()));
    }
}
