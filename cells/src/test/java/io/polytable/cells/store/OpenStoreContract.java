package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.definition.Definitions;
import io.polytable.cells.store.definition.PhysicalTables;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Further tests, for cell stores over tables. */
abstract class OpenStoreContract extends CellStoreContract {
    @TempDir
    Path directory;

    final ManualClock clock = new ManualClock();
    private @Nullable OpenStores stores;

    abstract OpenStores open();

    private OpenStores stores() {
        if (stores == null) {
            stores = open();
        }
        return stores;
    }

    @Override
    protected CellStore store() {
        return stores().cells();
    }

    @Override
    protected void pass(long millis) {
        clock.advance(Duration.ofMillis(millis));
    }

    @Override
    protected long now() {
        return clock.millis();
    }

    @AfterEach
    void close() {
        stores().close();
    }

    private void reopen() {
        stores().reopen();
        table = store().table(NAME);
    }

    @Test
    void everythingIsThereAgainAfterARestart() {
        CellTableSpec full = spec(
                        FamilySpec.of(F)
                                .withVersions(1, 7)
                                .withTtlMillis(1234)
                                .withKeepDeleted(KeepDeleted.UNTIL_TTL)
                                .withAttributes(Map.of(b("k"), b("v"))),
                        FamilySpec.of(G))
                .withAttributes(Map.of(b("table"), Bytes.of(new byte[] {0, 1, -1})))
                .withSplits(List.of(b("m"), b("t")));
        store().alter(full);
        put("row", "q", now(), "one");
        store().save(NAME, "saved");
        store().records().put(b("key"), b("value"));
        reopen();
        assertThat(table.spec()).isEqualTo(full);
        assertThat(table.spec().partitions()).hasSize(3);
        assertThat(table.get(ROW, Selection.ALL).value(F, Q)).contains(b("one"));
        assertThat(store().saved()).hasSize(1);
        assertThat(store().records().get(b("key"))).contains(b("value"));
    }

    @Test
    void aNonceIsRememberedAcrossARestartAndForgottenInTime() {
        RowWrite write = RowWrite.of(ROW, new Edit.Increment(F, Q, 2)).with(new Nonce(7, 8));
        WriteResult first = table.write(write);
        reopen();
        pass(Duration.ofMinutes(29).toMillis());
        assertThat(table.write(write)).isEqualTo(first);
        pass(Duration.ofHours(2).toMillis());
        stores().tableCells().runBackgroundOnce();
        assertThat(physicalRows()).isEqualTo(1);
        assertThat(table.write(write).cells().get(0).value().at(7)).isEqualTo((byte) 4);
    }

    @Test
    void aNonceIsFoundWhenTheClockIsSetBack() {
        RowWrite write = RowWrite.of(ROW, new Edit.Increment(F, Q, 2)).with(new Nonce(7, 8));
        WriteResult first = table.write(write);
        pass(-Duration.ofMinutes(20).toMillis());
        assertThat(table.write(write)).isEqualTo(first);
    }

    private long physicalRows() {
        long rows = 0;
        for (Table physical : stores().tables().tables()) {
            if (!physical.name().equals(Definitions.NAME)) {
                try (Cursor cursor = stores().tables().scan(physical, KeyRange.ALL)) {
                    while (cursor.next()) {
                        rows++;
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void theBackgroundRemovesWhatNoReadShowsAndKeepsMarkers() {
        for (int i = 0; i < 20; i++) {
            put("row", "q", i, "v" + i);
            put("gone", "q", i, "v" + i);
        }
        table.write(RowWrite.of(b("gone"), Edit.Delete.family(F, 100)));
        stores().tableCells().runBackgroundOnce();
        assertThat(table.get(ROW, Selection.ALL.withMaxVersions(99).asRaw()).cells())
                .hasSize(3);
        assertThat(table.get(b("gone"), Selection.ALL.withMaxVersions(99).asRaw())
                        .cells())
                .hasSize(1);
        pass(Duration.ofDays(8).toMillis());
        stores().tableCells().runBackgroundOnce();
        assertThat(table.get(b("gone"), Selection.ALL.asRaw()).cells()).isEmpty();
    }

    @Test
    void aPhysicalTableThatNobodyNamesIsDroppedAtTheStart() {
        put("row", "q", 1, "one");
        new PhysicalTables(stores().tables())
                .create(spec(FamilySpec.of(F)).withName(new TableName("default", "orphan")));
        int before = stores().tables().tables().size();
        reopen();
        assertThat(stores().tables().tables()).hasSize(before - 1);
        assertThat(table.get(ROW, Selection.ALL).isEmpty()).isFalse();
    }
}
