package io.polytable.table.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyColumn;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a write set shows before it is committed, and who hears of the commit. */
class WriteSetTest {
    private final MemoryStore store = new MemoryStore();
    private final Table table = store.create(new TableSpec(
            new TableName("test", "rows"),
            TableKind.FACE,
            List.of(new Column("key", ColumnType.BYTES), new Column("value", ColumnType.BYTES)),
            List.of(KeyColumn.ascending("key")),
            List.of(),
            TableOptions.DEFAULT));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsAndScansSeeOwnWritesOverTheStore(long seed) {
        Random random = new Random(seed);
        WriteSet work = new WriteSet(store);
        NavigableMap<Bytes, Bytes> oracle = new TreeMap<>();
        for (int step = 0; step < 2000; step++) {
            change(random, work, oracle);
            compare(random, work, oracle, "seed " + seed + ", step " + step);
            if (random.nextInt(40) == 0) {
                work.commit();
            }
        }
    }

    private void change(Random random, WriteSet work, NavigableMap<Bytes, Bytes> oracle) {
        Bytes key = key(random);
        int kind = random.nextInt(60);
        if (kind == 0) {
            Bytes other = key(random);
            KeyRange range = key.compareTo(other) < 0 ? KeyRange.between(key, other) : KeyRange.between(other, key);
            work.deleteRange(table, range);
            oracle.subMap(range.from(), range.to()).clear();
        } else if (kind < 20) {
            work.delete(table, RowKey.whole(key));
            oracle.remove(key);
        } else {
            Bytes value = Bytes.utf8("v" + random.nextInt());
            work.put(table, RowKey.whole(key), value);
            oracle.put(key, value);
        }
    }

    private void compare(Random random, WriteSet work, NavigableMap<Bytes, Bytes> oracle, String where) {
        Bytes key = key(random);
        assertThat(work.read(table, RowKey.whole(key)).orElse(Bytes.EMPTY))
                .as(where)
                .isEqualTo(oracle.getOrDefault(key, Bytes.EMPTY));
        int limit = 1 + random.nextInt(5);
        Bytes to = random.nextBoolean() ? Bytes.EMPTY : key(random);
        KeyRange range = KeyRange.between(key, to);
        NavigableMap<Bytes, Bytes> expected = range.isEmpty()
                ? new TreeMap<>()
                : to.isEmpty() ? oracle.tailMap(key, true) : oracle.subMap(key, true, to, false);
        assertThat(scan(work, range, Direction.FORWARD, limit)).as(where).isEqualTo(first(expected, limit));
        assertThat(scan(work, range, Direction.REVERSE, limit))
                .as(where)
                .isEqualTo(first(expected.descendingMap(), limit));
    }

    private List<String> scan(WriteSet work, KeyRange range, Direction direction, int limit) {
        List<String> rows = new ArrayList<>();
        try (Cursor cursor = work.scan(table, range, direction, limit)) {
            while (cursor.next()) {
                rows.add(cursor.key() + "=" + cursor.value());
            }
        }
        return rows;
    }

    private static List<String> first(Map<Bytes, Bytes> rows, int limit) {
        return rows.entrySet().stream()
                .limit(limit)
                .map(row -> row.getKey() + "=" + row.getValue())
                .toList();
    }

    private static Bytes key(Random random) {
        return Bytes.utf8("k" + (100 + random.nextInt(60)));
    }

    @Test
    void tellsOfASuccessfulCommitOnce() {
        WriteSet work = new WriteSet(store);
        List<String> heard = new ArrayList<>();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.EMPTY);
        work.afterCommit(() -> heard.add("committed"));
        long unit = work.unit();
        work.commit();
        work.commit();
        assertThat(heard).containsExactly("committed");
        assertThat(work.unit()).isNotEqualTo(unit);
    }

    @Test
    void tellsNothingWhenTheCommitFailsOrTheSetIsCleared() {
        WriteSet work = new WriteSet(store);
        List<String> heard = new ArrayList<>();
        work.afterCommit(() -> heard.add("cleared"));
        work.clear();
        work.put(table, RowKey.whole(Bytes.utf8("a")), Bytes.EMPTY);
        work.afterCommit(() -> heard.add("failed"));
        store.close();
        assertThatThrownBy(work::commit).isInstanceOf(StoreException.class);
        assertThat(heard).isEmpty();
    }
}
