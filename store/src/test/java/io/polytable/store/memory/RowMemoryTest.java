package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.memory.RowMemory.Known;
import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.EncodedRow;
import io.polytable.table.KeyColumn;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowMemoryTest {
    private static final int TABLE = 3;
    private static final Table TABLE_HANDLE = new Handle(
            TABLE,
            new TableSpec(
                    new TableName("test", "rows"),
                    TableKind.SHARED,
                    List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
                    List.of(KeyColumn.ascending("k")),
                    List.of(),
                    TableOptions.DEFAULT));

    private final RowMemory memory = new RowMemory(64 << 20);
    private long position;

    private record Handle(int id, TableSpec spec) implements Table {}

    @Test
    void remembersThatTheStateHasNoSuchRow() {
        Bytes key = Bytes.utf8("absent");
        assertThat(known(key)).isEqualTo(Known.NOTHING);
        memory.fill(memory.fillStamp(), TABLE_HANDLE, key, Optional.empty());
        assertThat(known(key)).isEqualTo(Known.ABSENT);
        commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), Bytes.utf8("here")));
        assertThat(known(key)).isEqualTo(Known.PRESENT);
    }

    @Test
    void forgetsAnAnswerThatARangeDeleteMadeStale() {
        Bytes key = Bytes.utf8("b");
        long stamp = memory.fillStamp();
        commit(new Batch().deleteRange(TABLE_HANDLE, KeyRange.between(Bytes.utf8("a"), Bytes.utf8("c"))));
        memory.fill(stamp, TABLE_HANDLE, key, Optional.of(Bytes.utf8("old")));
        assertThat(known(key)).isEqualTo(Known.ABSENT);
    }

    @Test
    void aCommitIsNotHiddenByAnOlderAnswerOfTheState() {
        Bytes key = Bytes.utf8("k");
        long stamp = memory.fillStamp();
        commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), Bytes.utf8("new")));
        memory.fill(stamp, TABLE_HANDLE, key, Optional.empty());
        assertThat(memory.find(TABLE, key).value()).isEqualTo(Bytes.utf8("new"));
    }

    /** Keys that differ early, late, or by their length only, so that every way of sorting is taken. */
    @ParameterizedTest
    @ValueSource(ints = {3, 11, 40, 5000})
    void aSealedGenerationShowsTheNewestOfEachKeyInOrder(int rows) {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            // Leftovers of the generation before, in the same chunk, must not be mistaken for rows of this one.
            write(random, rows);
            memory.seal();
            NavigableMap<Bytes, Bytes> expected = write(random, rows);
            memory.seal();
            assertThat(newestSealed()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private NavigableMap<Bytes, Bytes> write(Random random, int rows) {
        NavigableMap<Bytes, Bytes> newest = new TreeMap<>();
        for (int i = 0; i < rows; i++) {
            Bytes key = key(random);
            Bytes value = Bytes.utf8("v" + i);
            newest.put(key, value);
            commit(new Batch().put(TABLE_HANDLE, RowKey.whole(key), value));
        }
        return newest;
    }

    private static Bytes key(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Bytes.utf8("common-prefix-" + random.nextInt(50));
            case 1 -> Bytes.of(new byte[random.nextInt(20)]);
            default -> Bytes.utf8(Integer.toString(random.nextInt(1000), Character.MAX_RADIX));
        };
    }

    private NavigableMap<Bytes, Bytes> newestSealed() {
        NavigableMap<Bytes, Bytes> found = new TreeMap<>();
        while (memory.sealedCount() > 1) {
            memory.applied(memory.oldestSealed().orElseThrow());
        }
        Generation generation = memory.oldestSealed().orElseThrow();
        generation.forEach(TABLE, row -> add(found, row));
        return found;
    }

    private static void add(NavigableMap<Bytes, Bytes> found, EncodedRow row) {
        assertThat(found.isEmpty() || found.lastKey().compareTo(row.key()) < 0).isTrue();
        found.put(row.key().copy(), row.value().copy());
    }

    private Known known(Bytes key) {
        return memory.find(TABLE, key).known();
    }

    private void commit(Batch batch) {
        memory.append(batch, ++position, 0);
    }
}
