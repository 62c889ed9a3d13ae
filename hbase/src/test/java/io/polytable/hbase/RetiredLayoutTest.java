package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.store.definition.Definition;
import io.polytable.cells.store.definition.DefinitionCodec;
import io.polytable.cells.store.definition.Definitions;
import io.polytable.cells.store.definition.PhysicalTables;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables with one row per row key, which older versions could store. */
@Timeout(120)
class RetiredLayoutTest {
    private static final TableName OLD = TableName.valueOf("old");
    private static final byte[] F = {'f'};

    @TempDir
    private Path directory;

    private static void assertUnreadable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("layout \"family\"")
                .hasMessageContaining("drop it");
    }

    private static TableDescriptor table(String name, String layout) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("POLYTABLE_LAYOUT", layout)
                .build();
    }

    /** As an older version left it; its rows do not matter, since nobody can read them. */
    private void defineOldTable() {
        CellTableSpec spec = CellTableSpec.of(new io.polytable.table.TableName("default", "old"), FamilySpec.of("f"));
        try (TableStore store =
                EmbeddedStore.open(directory.resolve("store"), EngineOptions.DEFAULT, FileLogOptions.defaults())) {
            Table physical = new PhysicalTables(store).create(spec);
            Definition old = new Definition(spec, physical.name().name(), 1, false, Optional.of(Set.of()));
            new Definitions(store)
                    .put(Definitions.Section.TABLE, Definitions.key(spec.name()), DefinitionCodec.encode(old));
        }
    }

    @Test
    void anOldTableIsListedRefusedAndDroppedAndNoOtherSuffers() throws Exception {
        defineOldTable();
        try (ServedCluster server = ServedCluster.on(directory);
                Connection connection = ConnectionFactory.createConnection(server.configuration());
                Admin admin = connection.getAdmin()) {
            assertThat(admin.listTableNames()).containsExactly(OLD);
            try (org.apache.hadoop.hbase.client.Table old = connection.getTable(OLD)) {
                assertUnreadable(() -> old.get(new Get(F)));
                assertUnreadable(() -> old.put(new Put(F).addColumn(F, F, F)));
                assertUnreadable(() -> old.getScanner(new Scan()).next());
            }
            assertThat(server.cells().check().isClean()).isTrue();
            assertThat(server.cells().views()).isEmpty();

            TableName other = TableName.valueOf("other");
            admin.createTable(table("other", "cell"));
            try (org.apache.hadoop.hbase.client.Table rows = connection.getTable(other)) {
                rows.put(new Put(F).addColumn(F, F, F));
                assertThat(rows.get(new Get(F)).getValue(F, F)).isEqualTo(F);
            }
            admin.disableTable(OLD);
            admin.deleteTable(OLD);
            assertThat(admin.listTableNames()).containsExactly(other);
        }
    }

    @Test
    void aNewTableCannotChooseTheLayout() throws Exception {
        try (ServedCluster server = ServedCluster.on(directory);
                Connection connection = ConnectionFactory.createConnection(server.configuration());
                Admin admin = connection.getAdmin()) {
            assertThatThrownBy(() -> admin.createTable(table("new", "family")))
                    .isInstanceOf(DoNotRetryIOException.class)
                    .hasMessageContaining("The storage layout family is not supported; POLYTABLE_LAYOUT must be CELL");
            assertThat(admin.listTableNames()).isEmpty();
            admin.createTable(table("new", "CELL"));
            assertThatThrownBy(() -> admin.modifyTable(table("new", "family")))
                    .isInstanceOf(DoNotRetryIOException.class)
                    .hasMessageContaining("POLYTABLE_LAYOUT must be CELL");
        }
    }
}
