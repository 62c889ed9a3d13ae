package io.polytable.redis.model.view;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.packing.Packing;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.stream.Claims;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.NewId;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the views show goes into an empty keyspace through their importers, and is shown there as it was. */
class RedisImportTest {
    private static final long NOW = 1_000_000;
    private static final List<String> TABLES =
            List.of("redis_data", "redis_stream_data", "redis_stream_consumer_groups", "redis_stream_pending_entries");

    private final Lists lists = new Lists();
    private final Streams streams = new Streams(() -> NodeLimits.STANDARD);
    private final Keyspace source = Keyspace.open(new MemoryStore());
    private final Keyspace target = Keyspace.open(new MemoryStore());

    private static Bytes text(String text) {
        return Bytes.utf8(text);
    }

    private static void write(Keyspace keyspace, int database, Consumer<Space> work) {
        UnitOfWork unit = keyspace.newUnit();
        unit.begin(NOW, true);
        work.accept(unit.space(database));
        unit.commit();
    }

    private static Map<String, View> views(Keyspace keyspace) {
        return RedisViews.of(keyspace, () -> Instant.ofEpochMilli(NOW), ViewNames.USUAL).stream()
                .collect(toMap(view -> view.name().name(), view -> view));
    }

    private static View view(Keyspace keyspace, String name) {
        return Optional.ofNullable(views(keyspace).get(name)).orElseThrow();
    }

    private static List<List<Value>> read(Keyspace keyspace, String name) {
        List<List<Value>> rows = new ArrayList<>();
        try (Snapshot snapshot = keyspace.store().snapshot();
                View.RowCursor cursor = view(keyspace, name).open(snapshot)) {
            while (cursor.next()) {
                rows.add(cursor.row());
            }
        }
        return rows;
    }

    /** In chunks, so that keys lie on both sides of a border; twice, as an interrupted import does. */
    private void importAll(int rowsAtOnce) {
        for (int time = 0; time < 2; time++) {
            for (String name : TABLES) {
                ViewImport importer = view(target, name).importer().orElseThrow();
                List<List<Value>> rows = read(source, name);
                for (int from = 0; from < rows.size(); from += rowsAtOnce) {
                    importer.write(rows.subList(from, Math.min(rows.size(), from + rowsAtOnce)));
                }
            }
        }
    }

    private void assertRestored() {
        for (String name : TABLES) {
            assertThat(shown(target, name)).as(name).containsExactlyInAnyOrderElementsOf(shown(source, name));
        }
    }

    /** Without when a group was created: no command can tell a group that. */
    private static List<String> shown(Keyspace keyspace, String name) {
        return read(keyspace, name).stream()
                .map(row -> name.endsWith("groups")
                        ? IntStream.range(0, row.size())
                                .filter(i -> i != 3)
                                .mapToObj(row::get)
                                .toList()
                                .toString()
                        : row.toString())
                .toList();
    }

    @Test
    void theConfiguredLimitsDecideHowRowsAreKept() {
        write(source, 0, space -> new Hashes().put(space, text("hash"), List.of(text("a"), text("1"))));
        PackingLimits none = new PackingLimits(new Packing(0, 0), -2, new Packing(0, 0), 0, new Packing(0, 0));
        ImportLimits limits = new ImportLimits(() -> none, () -> NodeLimits.STANDARD);
        for (ImportLimits each : List.of(ImportLimits.STANDARD, limits)) {
            Keyspace keyspace = Keyspace.open(new MemoryStore());
            RedisViews.of(keyspace, () -> Instant.ofEpochMilli(NOW), ViewNames.USUAL, each).stream()
                    .filter(view -> view.name().name().equals("redis_data"))
                    .findFirst()
                    .flatMap(View::importer)
                    .orElseThrow()
                    .write(read(source, "redis_data"));
            UnitOfWork unit = keyspace.newUnit();
            unit.begin(NOW, false);
            Header header = unit.space(0).header(text("hash")).orElseThrow();
            assertThat(Hashes.isWide((CollectionHeader) header)).isEqualTo(each.equals(limits));
        }
    }

    @Test
    void rowsOfOneKeyThatContradictEachOtherAreRefused() {
        write(source, 0, space -> {
            space.putString(text("a"), text("old"), Header.NEVER);
            new Sets().add(space, text("b"), List.of(text("x")));
        });
        List<List<Value>> rows = read(source, "redis_data");
        // They come in the order of a hash.
        rows.sort(Comparator.comparing(row -> row.get(0).toString()));
        List<Value> again = new ArrayList<>(rows.get(0));
        again.set(4, new Value.OfBytes(text("new")));
        List<Value> otherType = new ArrayList<>(rows.get(1));
        otherType.set(0, rows.get(0).get(0));
        ViewImport importer = view(target, "redis_data").importer().orElseThrow();
        importer.write(List.of(rows.get(0), again));
        assertThat(read(target, "redis_data")).containsExactly(again);
        assertThatThrownBy(() -> importer.write(List.of(rows.get(0), otherType)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("different types");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void everyTypeComesBack(int rowsAtOnce) {
        write(source, 0, space -> {
            space.putString(text("string"), Bytes.of(new byte[] {0, -1, 7}), Header.NEVER);
            space.putString(text("empty"), Bytes.EMPTY, Header.NEVER);
            new Hashes().put(space, text("hash"), List.of(text("a"), text("1"), text(""), text("")));
            new Sets().add(space, text("set"), List.of(text("x"), text("y"), text("10")));
            // Twelve, so that indexes as text have another order than as numbers; and some twice.
            lists.push(
                    space,
                    text("list"),
                    ListEnd.RIGHT,
                    IntStream.range(0, 12).mapToObj(i -> text("e" + i / 2)).toList());
        });
        write(source, 5, space -> {
            new SortedSets()
                    .add(
                            space,
                            text("zset"),
                            AddRules.ANY,
                            List.of(
                                    new Element(1.5, text("m")),
                                    new Element(Double.NEGATIVE_INFINITY, text("low")),
                                    new Element(-0.25, text(""))));
            space.putString(text("string"), text("of another database"), Header.NEVER);
        });
        importAll(rowsAtOnce);
        assertRestored();
        UnitOfWork unit = target.newUnit();
        unit.begin(NOW, false);
        assertThat(lists.range(unit.space(0), text("list"), 0, -1))
                .containsExactlyElementsOf(
                        IntStream.range(0, 12).mapToObj(i -> text("e" + i / 2)).toList());
        assertThat(new SortedSets().score(unit.space(5), text("zset"), text("m")))
                .hasValue(1.5);
    }

    @Test
    void deadlinesComeBackAndWhatIsOverDoesNot() {
        write(source, 0, space -> {
            space.putString(text("later"), text("v"), NOW + 5000);
            space.putString(text("soon"), text("v"), NOW + 1);
            new Sets().add(space, text("set"), List.of(text("x"), text("y")));
            Header header = space.header(text("set")).orElseThrow();
            space.put(text("set"), header.withExpireAt(NOW + 7000));
        });
        List<List<Value>> rows = read(source, "redis_data");
        importAll(1);
        assertRestored();
        Keyspace afterwards = Keyspace.open(new MemoryStore());
        RedisViews.of(afterwards, () -> Instant.ofEpochMilli(NOW + 1), ViewNames.USUAL).stream()
                .filter(view -> view.name().name().equals("redis_data"))
                .findFirst()
                .flatMap(View::importer)
                .orElseThrow()
                .write(rows);
        assertThat(read(afterwards, "redis_data")).hasSize(3);
    }

    /** Minus one millisecond is how a header says that there is no deadline. */
    @ParameterizedTest
    @ValueSource(longs = {-1_999, -1_000, -1, 0})
    void aDeadlineBeforeTheEpochIsOver(long expireAtMicros) {
        write(source, 0, space -> space.putString(text("k"), text("v"), NOW + 5000));
        List<Value> row = new ArrayList<>(read(source, "redis_data").get(0));
        row.set(5, new Value.OfTimestamp(expireAtMicros));

        view(target, "redis_data").importer().orElseThrow().write(List.of(row));

        assertThat(read(target, "redis_data")).isEmpty();
    }

    @Test
    void noChunkLeavesAUnitOfWorkBehind() {
        write(source, 0, space -> space.putString(text("k"), text("v"), Header.NEVER));
        int units = target.lookups().unitCount();

        importAll(1);

        assertRestored();
        assertThat(target.lookups().unitCount()).isEqualTo(units);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000})
    void streamsComeBackWithGroupsAndWhatIsPending(int rowsAtOnce) {
        Groups groups = new Groups();
        write(source, 3, space -> {
            for (int i = 1; i <= 5; i++) {
                streams.add(
                        space,
                        text("s"),
                        new NewId.Given(new StreamId(100, i)),
                        List.of(text("f" + i), text("v"), text("g"), text("")),
                        true,
                        null);
            }
            groups.create(space, text("s"), text("readers"), start(3), false);
            groups.create(space, text("s"), text("others"), start(5), false);
            claim(space, "readers", "ann", 1, 7);
            claim(space, "readers", "bob", 2, 1);
        });
        importAll(rowsAtOnce);
        assertRestored();
        assertThat(read(target, "redis_stream_pending_entries")).hasSize(2);
    }

    private static Groups.Start start(int sequence) {
        return new Groups.Start(Optional.of(new StreamId(100, sequence)), sequence);
    }

    private static void claim(Space space, String group, String consumer, int sequence, long deliveries) {
        new Claims()
                .claim(
                        space,
                        text("s"),
                        new Claims.Claimant(text(group), text(consumer), 0, OptionalLong.of(deliveries), true),
                        List.of(new StreamId(100, sequence)),
                        new Claims.Options(NOW - 50, true, StreamId.MIN));
    }

    @Test
    void whatAKeyCannotTakeIsRefused() {
        write(source, 0, space -> new Hashes().put(space, text("k"), List.of(text("a"), text("1"))));
        write(target, 0, space -> new Sets().add(space, text("k"), List.of(text("member"))));
        List<List<Value>> rows = read(source, "redis_data");
        ViewImport importer = view(target, "redis_data").importer().orElseThrow();
        assertThatThrownBy(() -> importer.write(rows))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("wrong kind of value");
        assertThat(read(target, "redis_data")).hasSize(1);
    }

    @Test
    void viewsOfAPartNameTheOneToImportInto() {
        for (String name : List.of("redis_zset_members", "redis_internal_zset_index", "redis_internal_subkey_index")) {
            assertThat(view(target, name).importer()).as(name).isEmpty();
            assertThat(view(target, name).importedInto()).as(name).contains(ViewNames.usual("redis_data"));
        }
    }
}
