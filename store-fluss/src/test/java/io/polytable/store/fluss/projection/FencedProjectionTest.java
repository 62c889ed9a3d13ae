package io.polytable.store.fluss.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.Engine;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.FlussSettings;
import io.polytable.store.fluss.TestCluster;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Position;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.write.Batch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A former owner that was frozen in the middle of a window, and wakes when another owns the log: what it had in flight
 * lands in the tables after the new owner's rows. The test writes it there.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FencedProjectionTest {
    private static final TableSpec SPEC = new TableSpec(
            new TableName("test", "rows"),
            TableKind.SHARED,
            List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("k")),
            List.of(),
            TableOptions.DEFAULT);
    private static final ProjectionOptions OPTIONS = ProjectionOptions.DEFAULT.withInterval(Duration.ofMillis(50));
    private static final FlussSettings SETTINGS = FlussSettings.of(
                    TestCluster.shared().bootstrapServers())
            .withDatabase("fenced")
            .withAnswerMax(Duration.ofSeconds(20));

    private static FlussCluster cluster;

    @TempDir
    private Path directory;

    private String name = "";
    private Engine store;
    private Table rows;
    private Projector projector;

    @BeforeAll
    static void connect() {
        cluster = FlussCluster.open(SETTINGS);
    }

    @AfterAll
    static void disconnect() {
        cluster.close();
    }

    @BeforeEach
    void open(TestInfo test) {
        // Fluss limits the length of names.
        name = "t" + Integer.toUnsignedString(test.getDisplayName().hashCode(), Character.MAX_RADIX);
        store = EmbeddedStore.open(
                directory, EngineOptions.DEFAULT.withMemory(16 << 20, 64 << 20), FileLogOptions.defaults());
        rows = store.create(SPEC);
        projector = new Projector(SETTINGS, OPTIONS, name);
    }

    @AfterEach
    void close() {
        projector.close();
        store.close();
    }

    private String shown() {
        return name + "_rows";
    }

    private void start(TableStore follows) {
        projector = new Projector(SETTINGS, OPTIONS, name);
        projector.start(follows, new RowsShown(rows, shown()));
    }

    private static RowKey key(String key) {
        return RowKey.whole(Bytes.utf8(key));
    }

    private void put(String key, String value) {
        store.commit(new Batch().put(rows, key(key), Bytes.utf8(value)));
    }

    private void remove(String key) {
        store.commit(new Batch().delete(rows, key(key)));
    }

    private static byte[] bytes(String text) {
        return Bytes.utf8(text).toByteArray();
    }

    private UpsertWriter writer(String table) {
        return cluster.connection().getTable(cluster.path(table)).newUpsert().createWriter();
    }

    /** The value that a reader of the table finds. */
    private Optional<String> read(String key) {
        InternalRow row = cluster.await(cluster.connection()
                        .getTable(cluster.path(shown()))
                        .newLookup()
                        .createLookuper()
                        .lookup(GenericRow.of((Object) bytes(key))))
                .getSingletonRow();
        return Optional.ofNullable(row).map(found -> Bytes.of(found.getBytes(1)).utf8());
    }

    private void awaitShown(String key, Optional<String> value) {
        Await.until(
                () -> key + " is shown as " + value + ", not " + read(key),
                () -> read(key).equals(value));
    }

    private void awaitAllShown() {
        Await.until("all commits are shown", () -> projector.status().lagRecords() == 0);
    }

    /** What the frozen owner had in flight: rows of its window, which ended at the first commit. */
    private void landLate() {
        UpsertWriter late = writer(shown());
        cluster.await(CompletableFuture.allOf(
                late.upsert(GenericRow.of(bytes("changed"), bytes("old"), 1L)),
                late.delete(GenericRow.of(bytes("created"), null, null)),
                late.upsert(GenericRow.of(bytes("removed"), bytes("old"), 1L))));
    }

    private void assertRepaired() {
        awaitShown("changed", Optional.of("new"));
        awaitShown("created", Optional.of("new"));
        awaitShown("removed", Optional.empty());
    }

    @Test
    void rowsThatAFencedOwnerOverwritesAreRepaired() {
        put("changed", "old");
        put("removed", "old");
        put("changed", "new");
        put("created", "new");
        remove("removed");
        start(store);
        awaitAllShown();
        assertRepaired();
        landLate();
        assertRepaired();
        assertThat(projector.status().rebuilds())
                .as("the first one made the tables")
                .isOne();

        // Nobody owns the log when more of it lands: the next owner finds it.
        projector.close();
        landLate();
        start(store);
        assertRepaired();
        assertThat(projector.status().rebuilds()).isZero();
    }

    @Test
    void notesThatAFencedOwnerOverwritesMakeTheTablesAnew() {
        put("one", "old");
        start(store);
        awaitAllShown();
        put("one", "new");
        awaitShown("one", Optional.of("new"));
        UpsertWriter late = writer(NotesTable.name(name));
        cluster.await(late.upsert(GenericRow.of(bytes("\u0001one"), bytes("late"), 1L)));
        Await.until("the tables are rebuilt", () -> projector.status().rebuilds() == 2);

        // Its progress alone takes nothing back, and does not end a rebuild that was asked for.
        projector.close();
        byte[] saved = cluster.await(cluster.connection()
                        .getTable(cluster.path(NotesTable.name(name)))
                        .newLookup()
                        .createLookuper()
                        .lookup(GenericRow.of((Object) NotesTable.PROGRESS)))
                .getSingletonRow()
                .getBytes(1);
        put("two", "new");
        Projector.forget(cluster, store, name);
        cluster.await(late.upsert(GenericRow.of(NotesTable.PROGRESS, saved, 2L)));
        start(store);
        Await.until("the tables are rebuilt", () -> projector.status().rebuilds() == 1);
        awaitShown("two", Optional.of("new"));
    }

    /** It finds out between the snapshot and the first row of its window. */
    @Test
    void anOwnerThatIsFencedWritesNothingMore() {
        put("kept", "before");
        FencedStore fenced = new FencedStore(store);
        start(fenced);
        awaitAllShown();
        awaitShown("kept", Optional.of("before"));
        fenced.checksLeft.set(1);
        put("kept", "late");
        Await.opened(fenced.refused);
        projector.close();
        assertThat(read("kept")).contains("before");
    }

    /** A store whose log is taken over after some more checks. */
    private static final class FencedStore extends ForwardingStore {
        private final AtomicInteger checksLeft = new AtomicInteger(Integer.MAX_VALUE);
        private final CountDownLatch refused = new CountDownLatch(1);

        FencedStore(TableStore beneath) {
            super(beneath);
        }

        @Override
        public Commit latest() {
            Commit latest = super.latest();
            if (checksLeft.get() == Integer.MAX_VALUE || checksLeft.getAndDecrement() > 0) {
                return latest;
            }
            refused.countDown();
            return new Commit() {
                @Override
                public boolean isDurable() {
                    return false;
                }

                @Override
                public CompletionStage<Void> durable() {
                    return CompletableFuture.failedFuture(new StoreException(StoreError.FAILED, "overtaken"));
                }

                @Override
                public Position position() {
                    return latest.position();
                }
            };
        }
    }
}
