package io.polytable.hbase.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.Await;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disabled table has no running write; one that could not be disabled continues to serve. */
class DisableTest {
    private static final TableName NAME = new TableName("default", "left");

    private final MemoryStore store = new MemoryStore();
    private final CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground());
    private final Catalog catalog = new Catalog(cells);
    private final CompletableFuture<Boolean> write = new CompletableFuture<>();

    /** Opens when a disable has found running writes. */
    private final CountDownLatch looked = new CountDownLatch(1);

    private TableChanges changes(Duration wait) {
        return new TableChanges(catalog, new Namespaces(catalog), InstantSource.system(), wait, () -> {
            looked.countDown();
            LockSupport.parkNanos(1);
        });
    }

    @BeforeEach
    void create() throws IOException {
        changes(Duration.ZERO)
                .create(
                        TableDescriptorBuilder.newBuilder(HBaseTypes.hbaseName(NAME))
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                                .build(),
                        List.of());
    }

    @AfterEach
    void close() {
        cells.close();
        store.close();
    }

    private Region first() throws IOException {
        return catalog.table(NAME).regions().get(0);
    }

    @Test
    void aWriteToARegionThatWasSplitIsWaitedFor() throws Exception {
        TableChanges changes = changes(Duration.ofSeconds(60));
        CompletableFuture<Boolean> written = first().write(table -> write);
        changes.split(first(), Bytes.utf8("m"));

        CompletableFuture<Void> disabling = CompletableFuture.runAsync(() -> {
            try {
                changes.disable(NAME);
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        });
        // If it looked at the new regions only, it would find no running write and be done.
        Await.until("the disable found a running write", () -> looked.getCount() == 0 || disabling.isDone());
        assertThat(disabling).isNotDone();

        write.complete(true);
        disabling.get(60, TimeUnit.SECONDS);
        assertThat(written).isCompletedWithValue(true);
    }

    @Test
    void aTableStaysEnabledWhenItsWritesDoNotEnd() throws Exception {
        Region region = first();
        CompletableFuture<Boolean> written = region.write(table -> write);

        assertThatThrownBy(() -> changes(Duration.ZERO).disable(NAME))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("stays enabled");
        assertThat(catalog.table(NAME).enabled()).isTrue();
        assertThat(first().write(table -> CompletableFuture.completedFuture(1))).isCompletedWithValue(1);

        write.complete(true);
        changes(Duration.ofSeconds(60)).disable(NAME);
        assertThat(written).isCompletedWithValue(true);
        assertThatThrownBy(() -> region.write(table -> write)).isInstanceOf(NotServingRegionException.class);
    }
}
