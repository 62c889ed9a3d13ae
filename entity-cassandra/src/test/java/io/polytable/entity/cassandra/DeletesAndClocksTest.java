package io.polytable.entity.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.Bytes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes after a delete are visible, whatever the clocks and explicit times. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeletesAndClocksTest {
    private static final String NAME = "Clocks_" + ProcessHandle.current().pid();

    private final EntityUri uri = CassandraNode.instance(NAME);
    private Instance instance;
    private EntityTable table;

    @BeforeAll
    void install() {
        Entities.install(uri);
        instance = Entities.open(uri);
        table = instance.createTable(TableLayout.of(
                "t",
                new KeyFormat.Raw(),
                LocalityGroup.of(
                        "g",
                        FamilyLayout.group(
                                "f",
                                ColumnLayout.of("n", CellSchema.counter()),
                                ColumnLayout.of(
                                        "brief", CellSchema.avro("string").withTtlSeconds(60)))),
                LocalityGroup.of("timed", FamilyLayout.map("log", CellSchema.avro("string")))
                        .withOption("by_time", "true")));
    }

    @AfterAll
    void uninstall() {
        instance.close();
        Entities.uninstall(uri);
    }

    /** Conditional writes have the nodes' time. */
    @ParameterizedTest
    @ValueSource(longs = {3600, -3600})
    void aProgramWhoseClockIsWrongLosesNothing(long aheadSeconds) throws Exception {
        InstantSource wrong = () -> Instant.now().plusSeconds(aheadSeconds);
        EntityId id = table.id("wrong" + aheadSeconds);
        table.writer().increment(id, "f:n", 7);
        try (CassandraStore store = new CassandraStore(Cluster.connect(uri, wrong), uri.options())) {
            StoredTable theirs = store.instance(NAME).table(table.layout());
            write(theirs, id, new CellEdit.DeleteRow(CellEdit.NOW));
            assertThat(table.reader().get(id, DataRequest.of("f")).isEmpty())
                    .as("deleted")
                    .isTrue();
            write(theirs, id, new CellEdit.Increment(new ColumnPlace("g", "f", "n"), 1, CellEdit.NO_TTL));
            write(theirs, id, new CellEdit.Increment(new ColumnPlace("g", "f", "n"), 1, CellEdit.NO_TTL));
            assertThat(table.reader().get(id, DataRequest.of("f")).value("f:n", Long.class))
                    .contains(2L);
            // A time to live counts by the same clock.
            write(
                    theirs,
                    id,
                    new CellEdit.Put(new ColumnPlace("g", "f", "brief"), CellEdit.NOW, Bytes.utf8("x"), 60_000));
            assertThat(table.reader().get(id, DataRequest.of("f")).timestamps("f:brief"))
                    .hasSize(1)
                    .allSatisfy(time -> assertThat(Math.abs(time - System.currentTimeMillis()))
                            .isLessThan(600_000));
        }
    }

    private static void write(StoredTable table, EntityId id, CellEdit edit) throws Exception {
        assertThat(table.write(new RowChange(id.rowKey(), List.of(edit), Optional.empty(), Optional.empty()))
                        .get(2, TimeUnit.MINUTES)
                        .applied())
                .isTrue();
    }

    /** The cell of a checked put is written now, and so must be its entry in the table by time. */
    @Test
    void aCheckedPutOfAPastTimeIsFoundByTimeAfterADelete() {
        EntityId id = table.id("dated");
        long past = System.currentTimeMillis() - 100_000;
        table.writer().put(id, "log:a", "before");
        table.writer().deleteRow(id);
        assertThat(table.atomicWriter().begin(id).put("log:b", past, "dated").checkAndCommit("log:a", null))
                .isTrue();
        DataRequest all = DataRequest.of(ColumnRequest.of("log").allVersions());
        assertThat(table.reader().get(id, all).qualifiers("log")).containsExactly("b");
        assertThat(table.reader().get(id, all.between(past, past + 1)).qualifiers("log"))
                .containsExactly("b");
    }
}
