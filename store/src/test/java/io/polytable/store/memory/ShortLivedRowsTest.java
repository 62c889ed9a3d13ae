package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes and goes within a generation need not be written to the state; everything else must be. */
class ShortLivedRowsTest {
    private static final Table TABLE = TestTable.numbered(3);

    private final RowMemory memory = new RowMemory(64 << 20);
    private long position;

    @Test
    void aRowThatWasNeverInTheStateIsNotDeletedThere() {
        memory.markWhole(TABLE.id());
        put("a");
        delete("a");
        put("b");
        put("c");
        delete("c");
        put("c");
        delete("d");
        put("e");
        delete("e");
        put("e");
        delete("e");
        memory.seal();
        assertThat(written()).containsExactly("put b", "put c");
    }

    /** As long as memory does not have the whole table, the state may have a row that nobody has asked for. */
    @Test
    void aDeleteGoesToAStateThatMayHaveTheRow() {
        put("a");
        delete("a");
        memory.seal();
        assertThat(written()).containsExactly("delete a");
    }

    @Test
    void aDeleteGoesToTheStateAfterTheRowThatAnEarlierGenerationBroughtThere() {
        memory.markWhole(TABLE.id());
        put("a");
        put("b");
        memory.seal();
        put("a");
        delete("a");
        delete("b");
        put("b");
        delete("b");
        memory.seal();
        assertThat(written()).containsExactly("put a", "put b");
        memory.applied(memory.oldestSealed().orElseThrow());
        assertThat(written()).containsExactly("delete a", "delete b");
    }

    /** The state holds the rows of the snapshot for a while, so it must get their deletes. */
    @Test
    void aRowThatSomebodyLooksAtIsDeletedInTheState() {
        memory.markWhole(TABLE.id());
        put("a");
        MemorySnapshot snapshot = memory.snapshot();
        delete("a");
        memory.seal();
        assertThat(written()).containsExactly("put a", "delete a");
        snapshot.close();
    }

    /** The first try brought the row to the state. The second one meets nobody who looks at it any more. */
    @Test
    void aRowIsDeletedInTheStateAfterATryThatFailedHalfway() {
        memory.markWhole(TABLE.id());
        put("a");
        MemorySnapshot snapshot = memory.snapshot();
        delete("a");
        memory.seal();
        List<String> first = new ArrayList<>();
        assertThatThrownBy(() -> memory.oldestSealed().orElseThrow().forEachStep(step -> {
                    if (!first.isEmpty()) {
                        throw new IllegalStateException("the disk is full");
                    }
                    step.forEach(TABLE.id(), row -> first.add(text(row)));
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(first).containsExactly("put a");
        snapshot.close();
        assertThat(written()).containsExactly("delete a");
    }

    /** Random changes, applied to a map in place of the state: it must come to hold what memory shows. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theStateComesToHoldWhatIsThere(long seed) {
        Random random = new Random(seed);
        memory.markWhole(TABLE.id());
        NavigableMap<String, Long> expected = new TreeMap<>();
        NavigableMap<String, Long> state = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            change(random, expected);
            if (random.nextInt(100) == 0) {
                memory.seal();
            }
            if (random.nextInt(200) == 0 && memory.sealedCount() > 0) {
                applyTo(state, memory.oldestSealed().orElseThrow());
            }
        }
        memory.seal();
        while (memory.sealedCount() > 0) {
            applyTo(state, memory.oldestSealed().orElseThrow());
        }
        assertThat(state).isEqualTo(expected);
    }

    private void change(Random random, NavigableMap<String, Long> rows) {
        String key = key(random);
        switch (random.nextInt(20)) {
            case 0 -> {
                String to = key(random);
                commit(new Batch().deleteRange(TABLE, KeyRange.between(Bytes.utf8(key), Bytes.utf8(to))));
                rows.keySet().removeIf(row -> row.compareTo(key) >= 0 && row.compareTo(to) < 0);
            }
            case 1, 2, 3, 4, 5, 6, 7, 8, 9 -> {
                delete(key);
                rows.remove(key);
            }
            default -> {
                put(key);
                rows.put(key, position);
            }
        }
    }

    private static String key(Random random) {
        return "k" + (100 + random.nextInt(60));
    }

    private void applyTo(NavigableMap<String, Long> state, Generation generation) {
        generation.forEachStep(step -> {
            for (RangeTombstone range : step.ranges()) {
                NavigableSet<String> keys = new TreeSet<>(state.keySet());
                keys.removeIf(key -> !KeyRange.between(range.from(), range.to()).contains(Bytes.utf8(key)));
                state.keySet().removeAll(keys);
            }
            step.forEach(TABLE.id(), row -> {
                String key = row.key().utf8();
                if (row.op() == EncodedRow.DELETE) {
                    state.remove(key);
                } else {
                    state.put(key, Long.valueOf(row.value().utf8()));
                }
            });
        });
        assertThat(memory.takeBatches()).isNotNull();
        memory.applied(generation);
        boolean more = true;
        while (more) {
            more = memory.trim();
        }
    }

    private List<String> written() {
        List<String> rows = new ArrayList<>();
        memory.oldestSealed().orElseThrow().forEachStep(step -> step.forEach(TABLE.id(), row -> rows.add(text(row))));
        return rows;
    }

    private static String text(EncodedRow row) {
        return (row.op() == EncodedRow.DELETE ? "delete " : "put ") + row.key().utf8();
    }

    private void put(String key) {
        commit(new Batch().put(TABLE, RowKey.whole(Bytes.utf8(key)), Bytes.utf8(Long.toString(position + 1))));
    }

    private void delete(String key) {
        commit(new Batch().delete(TABLE, RowKey.whole(Bytes.utf8(key))));
    }

    private void commit(Batch batch) {
        memory.append(batch, ++position, 0);
    }
}
