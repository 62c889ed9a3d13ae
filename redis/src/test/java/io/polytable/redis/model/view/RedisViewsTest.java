package io.polytable.redis.model.view;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewScan;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Slots;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What SQL will see of keys, read through nothing but the views. */
class RedisViewsTest {
    private static final long NOW = 1_000_000;

    private final MemoryStore store = new MemoryStore();

    @Test
    void showsLiveRowsOfAllTypesAndDatabases() {
        Keyspace keyspace = Keyspace.open(store);
        write(keyspace);

        assertThat(rows(keyspace, "redis_internal_data"))
                .containsExactlyInAnyOrder(
                        "text |  | string | - | hello | - | 0",
                        "mortal |  | string | - | soon | 2000000000 | 0",
                        "user:1 | name | hash | - | Alice | - | 0",
                        "user:1 | age | hash | - | 30 | - | 0",
                        "tags | a | set | - | a | - | 0",
                        "tags | b | set | - | b | - | 0",
                        "leaders | Alice | zset | 100.5 | Alice | - | 5",
                        "leaders | Bob | zset | -2.0 | Bob | - | 5",
                        "queue | 0 | list | - | first | - | 0",
                        "queue | 1 | list | - | second | - | 0")
                .isEqualTo(rows(keyspace, "redis_data"));
        assertThat(rows(keyspace, "redis_internal_zset_index"))
                .containsExactlyInAnyOrder("leaders | Alice | 100.5 | 5", "leaders | Bob | -2.0 | 5")
                .isEqualTo(rows(keyspace, "redis_zset_members"));
        assertThat(rows(keyspace, "redis_internal_subkey_index"))
                .anyMatch(row ->
                        row.equals("user:1 | [\"name\",\"age\"] | 0") || row.equals("user:1 | [\"age\",\"name\"] | 0"))
                .contains("queue | [\"0\",\"1\"] | 0")
                .hasSize(4);
    }

    @Test
    void showsEachShardAndAllOfThem() {
        Keyspace keyspace = Keyspace.openSharded(store, 16);
        write(keyspace);
        List<String> byShard = new ArrayList<>();
        for (int shard = 0; shard < 16; shard++) {
            byShard.addAll(rows(keyspace, String.format("redis_shard_%02d", shard)));
        }

        assertThat(byShard).hasSize(10).isEqualTo(rows(keyspace, "redis_data"));
        assertThat(rows(keyspace, String.format("redis_shard_%02d", Slots.of(Bytes.utf8("text")) / 1024)))
                .contains("text |  | string | - | hello | - | 0");
        assertThat(views(keyspace)).doesNotContainKey("redis_internal_data");
    }

    @Test
    void everyRowHasAValueForEachColumnAndAKeyOfItsOwn() {
        Keyspace keyspace = Keyspace.open(store);
        write(keyspace);
        for (View view : views(keyspace).values()) {
            List<String> names =
                    view.columns().stream().map(column -> column.name()).toList();
            assertThat(names).containsAll(view.key());
            List<List<Value>> rows = read(keyspace, view);
            assertThat(rows).allMatch(row -> row.size() == names.size());
            List<List<Value>> keys = rows.stream()
                    .map(row -> view.key().stream()
                            .map(name -> row.get(names.indexOf(name)))
                            .toList())
                    .toList();
            assertThat(keys).doesNotHaveDuplicates().allMatch(key -> !key.contains(new Value.Absent()));
        }
    }

    @Test
    void knownKeysDatabasesAndSubKeysNarrowAScanAndShowTheSameRows() {
        for (Keyspace keyspace : List.of(Keyspace.open(store), Keyspace.openSharded(new MemoryStore(), 16))) {
            write(keyspace);
            View view = views(keyspace).get("redis_data");
            assertThat(view).isNotNull();
            assertThat(rows(keyspace, view, ViewScan.all(view).within("redis_key", isText("user:1"))))
                    .containsExactlyInAnyOrder(
                            "user:1 | name | hash | - | Alice | - | 0", "user:1 | age | hash | - | 30 | - | 0");
            ColumnRange five = ColumnRange.equalTo(new Value.OfInt(5));
            assertThat(rows(
                            keyspace,
                            view,
                            ViewScan.of(List.of("sub_key", "db")).within("db", five)))
                    .containsExactlyInAnyOrder("Alice | 5", "Bob | 5");
            assertThat(rows(
                            keyspace,
                            view,
                            ViewScan.of(List.of("score"))
                                    .within("redis_key", isText("leaders"))
                                    .within("sub_key", isText("Bob"))))
                    .containsExactly("-2.0");
            assertThat(rows(keyspace, view, ViewScan.of(List.of("value")).within("sub_key", isText("1"))))
                    .containsExactly("second");
            assertThat(rows(
                            keyspace,
                            view,
                            ViewScan.of(List.of("redis_key"))
                                    .within("redis_key", isText("text"))
                                    .within("db", five)))
                    .isEmpty();
            assertThat(rows(keyspace, view, ViewScan.of(List.of("db")).first(3)))
                    .hasSize(3);
            assertThat(rows(
                            keyspace,
                            view,
                            ViewScan.of(List.of("sub_key"))
                                    .within("redis_key", ColumnRange.atLeast(new Value.OfBytes(Bytes.utf8("user"))))))
                    .containsExactlyInAnyOrder("name", "age");
        }
    }

    private static ColumnRange isText(String text) {
        return ColumnRange.equalTo(new Value.OfBytes(Bytes.utf8(text)));
    }

    @Test
    void textInJsonIsEscapedAndBytesAreKept() {
        Keyspace keyspace = Keyspace.open(store);
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(NOW, true);
        element(unit.space(0), "h", Type.HASH, ElementKind.HASH_FIELD, Bytes.utf8("a\"\\\n\u00e9"), Bytes.EMPTY);
        element(unit.space(1), "h", Type.HASH, ElementKind.HASH_FIELD, Bytes.of(new byte[] {(byte) 0xff}), Bytes.EMPTY);
        unit.commit();

        assertThat(rows(keyspace, "redis_internal_subkey_index"))
                .containsExactlyInAnyOrder("h | [\"a\\\"\\\\\\u000a\u00e9\"] | 0", "h | [\"\u00ff\"] | 1");
    }

    private static void write(Keyspace keyspace) {
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(NOW, true);
        Space space = unit.space(0);
        space.putString(Bytes.utf8("text"), Bytes.utf8("hello"), Header.NEVER);
        space.putString(Bytes.utf8("mortal"), Bytes.utf8("soon"), NOW * 2);
        space.putString(Bytes.utf8("expired"), Bytes.utf8("gone"), NOW - 1);
        element(space, "user:1", Type.HASH, ElementKind.HASH_FIELD, Bytes.utf8("name"), Bytes.utf8("Alice"));
        element(space, "user:1", Type.HASH, ElementKind.HASH_FIELD, Bytes.utf8("age"), Bytes.utf8("30"));
        element(space, "replaced", Type.HASH, ElementKind.HASH_FIELD, Bytes.utf8("old"), Bytes.utf8("row"));
        space.remove(Bytes.utf8("replaced"));
        element(space, "tags", Type.SET, ElementKind.SET_MEMBER, Bytes.utf8("a"), Bytes.EMPTY);
        element(space, "tags", Type.SET, ElementKind.SET_MEMBER, Bytes.utf8("b"), Bytes.EMPTY);
        long unusedSize = new Lists()
                .push(space, Bytes.utf8("queue"), ListEnd.LEFT, List.of(Bytes.utf8("second"), Bytes.utf8("first")));
        member(unit.space(5), "Alice", 100.5);
        member(unit.space(5), "Bob", -2);
        space.putString(Bytes.utf8("flushed"), Bytes.utf8("gone"), Header.NEVER);
        element(unit.space(7), "flushed", Type.SET, ElementKind.SET_MEMBER, Bytes.utf8("gone"), Bytes.EMPTY);
        unit.changeDatabases(unit.databases().flush(7));
        space.remove(Bytes.utf8("flushed"));
        unit.commit();
    }

    private static void member(Space space, String member, double score) {
        byte[] row = new byte[Long.BYTES];
        BigEndian.putLong(row, 0, SortKeys.exactBits(score));
        element(space, "leaders", Type.ZSET, ElementKind.ZSET_MEMBER, Bytes.utf8(member), Bytes.of(row));
    }

    private static void element(Space space, String key, Type type, ElementKind kind, Bytes sub, Bytes value) {
        CollectionHeader header = space.collectionOrNew(Bytes.utf8(key), type);
        space.elements(header, kind).put(sub, value);
        space.put(Bytes.utf8(key), header.withSize(header.size() + 1));
    }

    private static Map<String, View> views(Keyspace keyspace) {
        return RedisViews.of(keyspace, () -> Instant.ofEpochMilli(NOW), ViewNames.USUAL).stream()
                .collect(toMap(view -> view.name().name(), view -> view));
    }

    private static List<String> rows(Keyspace keyspace, String name) {
        View view = views(keyspace).get(name);
        assertThat(view).as(name).isNotNull();
        return rows(keyspace, view, ViewScan.all(view));
    }

    private static List<String> rows(Keyspace keyspace, View view, ViewScan scan) {
        return read(keyspace, view, scan).stream()
                .map(row -> row.stream().map(RedisViewsTest::text).collect(Collectors.joining(" | ")))
                .toList();
    }

    private static List<List<Value>> read(Keyspace keyspace, View view) {
        return read(keyspace, view, ViewScan.all(view));
    }

    private static List<List<Value>> read(Keyspace keyspace, View view, ViewScan scan) {
        List<List<Value>> rows = new ArrayList<>();
        try (Snapshot snapshot = keyspace.store().snapshot();
                View.RowCursor cursor = view.rows(snapshot, scan)) {
            while (cursor.next()) {
                rows.add(cursor.row());
            }
        }
        return rows;
    }

    private static String text(Value value) {
        if (value instanceof Value.OfBytes bytes) {
            return bytes.value().utf8();
        }
        if (value instanceof Value.OfString string) {
            return string.value();
        }
        if (value instanceof Value.OfInt number) {
            return Integer.toString(number.value());
        }
        if (value instanceof Value.OfDouble number) {
            return Double.toString(number.value());
        }
        if (value instanceof Value.OfTimestamp time) {
            return Long.toString(time.micros());
        }
        return "-";
    }
}
