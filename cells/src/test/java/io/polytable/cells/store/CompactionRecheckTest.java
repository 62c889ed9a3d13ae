package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.read.Retention;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A recheck of some columns of a row finds the same garbage as a scan of the whole row. */
class CompactionRecheckTest {
    private static final Bytes ROW = Bytes.utf8("row");
    private static final long NOW = 50;
    private static final List<Bytes> FAMILIES = List.of(Bytes.utf8("f"), Bytes.utf8("g"), Bytes.utf8("h"));
    private static final List<Bytes> QUALIFIERS =
            List.of(Bytes.EMPTY, Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c"));
    private static final List<CellKind> KINDS = List.of(CellKind.values());

    private final Random dice = new Random(7);

    private <T> T any(List<T> choices) {
        return choices.get(dice.nextInt(choices.size()));
    }

    private Edit edit() {
        Bytes family = any(FAMILIES);
        long timestamp = 1L + dice.nextInt(20);
        CellKind kind = dice.nextInt(3) == 0 ? any(KINDS) : CellKind.PUT;
        if (kind == CellKind.PUT) {
            long ttl = dice.nextInt(4) == 0 ? 1L + dice.nextInt(60) : 0;
            return new Edit.Put(family, any(QUALIFIERS), timestamp, ROW, ttl);
        }
        return new Edit.Delete(kind, family, kind.isOfFamily() ? Bytes.EMPTY : any(QUALIFIERS), timestamp);
    }

    private FamilySpec spec(Bytes family) {
        FamilySpec spec = FamilySpec.of(family)
                .withVersions(dice.nextInt(2), 1 + dice.nextInt(3))
                .withKeepDeleted(any(List.of(KeepDeleted.values())));
        return dice.nextBoolean() ? spec.withTtlMillis(40) : spec;
    }

    @Test
    void findsTheSame() {
        int found = 0;
        for (int round = 0; round < 300; round++) {
            try (MemoryStore store = new MemoryStore();
                    CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
                CellTableSpec spec = CellTableSpec.of(
                        new TableName("default", "t"),
                        FAMILIES.stream().map(this::spec).toArray(FamilySpec[]::new));
                CellTable table = cells.create(spec);
                for (int i = dice.nextInt(60); i >= 0; i--) {
                    table.write(RowWrite.of(ROW, edit()));
                }
                found += compare(store, table.live());
            }
        }
        assertThat(found).isPositive();
    }

    private static int compare(MemoryStore store, LiveTable table) {
        List<CellPosition> changeable = new ArrayList<>();
        Set<CellPosition> all = new HashSet<>();
        try (StoredCursor cursor = CellRows.row(store, table.physical(), ROW)) {
            if (cursor.next()) {
                new Retention(table.spec(), NOW, false).row(cursor, (position, mayChange) -> {
                    all.add(position);
                    if (mayChange) {
                        changeable.add(position);
                    }
                });
            }
        }
        Collections.sort(changeable);
        try (StoredCursor cursor = CellRows.row(store, table.physical(), ROW)) {
            Set<CellPosition> still = new Retention(table.spec(), NOW, false)
                    .stillGarbage(cursor, changeable, 1_000)
                    .garbage();
            assertThat(still).containsAll(changeable);
            assertThat(all).containsAll(still);
        }
        return changeable.size();
    }

    /** A recheck ends after some twenty thousand cells; the next one covers the rest. */
    @Test
    void goesOnWhereALookEnded() {
        int columns = 25;
        int versions = 1000;
        Bytes family = FAMILIES.get(0);
        try (MemoryStore store = new MemoryStore();
                CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
            CellTable table = cells.create(CellTableSpec.of(
                    new TableName("default", "t"), FamilySpec.of(family).withVersions(0, versions)));
            for (int column = 0; column < columns; column++) {
                List<Edit> edits = new ArrayList<>();
                for (int time = 1; time <= versions + 1; time++) {
                    edits.add(new Edit.Put(family, Bytes.utf8("c" + column), time, ROW, 0));
                }
                table.write(RowWrite.of(ROW, edits.toArray(Edit[]::new)));
            }
            cells.compact(table.name(), false);
            assertThat(stored(store, table.live())).isEqualTo(columns * versions);
        }
    }

    private static int stored(MemoryStore store, LiveTable table) {
        int count = 0;
        try (StoredCursor cursor = CellRows.row(store, table.physical(), ROW)) {
            for (boolean more = cursor.next(); more; more = cursor.next()) {
                count++;
            }
        }
        return count;
    }
}
