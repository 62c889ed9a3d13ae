package io.polytable.redis.model.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.view.View;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.bitmap.Bitmaps;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Flushes;
import io.polytable.redis.model.keyspace.KeyMoves;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.PlainKeeper;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.GroupReads;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.NewId;
import io.polytable.redis.model.stream.Streams;
import io.polytable.redis.model.stream.TrimRule;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.string.OpenString;
import io.polytable.redis.model.string.Strings;
import io.polytable.redis.model.upkeep.Housekeeping;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import io.polytable.table.testkit.MemoryStore;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The projection of random histories, kept by a keeper that breaks off again and again, against the views. */
class RedisProjectionTest {
    private static final int WINDOWS = 60;
    private static final int SEEDS = 10;
    private static final int SEEDS_OF_PEERS = 80;
    private static final Bytes GROUP = Bytes.utf8("g");

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    static LongStream moreSeeds() {
        return LongStream.range(SEEDS, SEEDS_OF_PEERS);
    }

    @ParameterizedTest
    @MethodSource("moreSeeds")
    @Tag("peers")
    void showsWhatTheViewsShowForLong(long seed) {
        showsWhatTheViewsShow(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void showsWhatTheViewsShow(long seed) {
        try (World world = new World(seed, seed % 2 == 0 ? 0 : 4)) {
            for (int window = 0; window < WINDOWS; window++) {
                world.commands();
                world.keep();
                if (world.random.nextInt(10) == 0) {
                    world.keeper.begin();
                }
                if (world.random.nextInt(20) == 0) {
                    world.keeper.makeAnew();
                }
            }
            world.catchUp();
            world.compare("seed " + seed);
        }
    }

    @Test
    void rowsOfTheRemovedStayUntilTheyAreNotShownAnyMore() {
        try (World world = new World(1, 0)) {
            world.hash(0, "h", 100);
            world.keepWhole();
            world.remove(0, "h");
            world.tidy();
            assertThat(world.elementCount()).isEqualTo(100);
            world.keepWhole();
            world.tidy();
            assertThat(world.elementCount()).isZero();
            assertThat(world.keeper.noteCount()).as("the databases only").isOne();
            world.compare("swept");
        }
    }

    @Test
    void aFlushedDatabaseStaysUntilItIsNotShownAnyMore() {
        try (World world = new World(1, 0)) {
            world.hash(3, "h", 10);
            world.keepWhole();
            world.flushAsIfLarge(3);
            world.tidy();
            world.tidy();
            assertThat(world.elementCount()).isEqualTo(10);
            world.keepWhole();
            assertThat(world.keeper.rows("redis_internal_data")).isEmpty();
            world.tidy();
            world.keepWhole();
            world.tidy();
            assertThat(world.elementCount()).isZero();
        }
    }

    /** What is left of a hash that has lost most of its fields has other rows; what is shown of it stays. */
    @Test
    void elementsThatMoveToFreshRowsStayShown() {
        try (World world = new World(1, 0)) {
            world.hash(0, "h", 3000);
            world.keepWhole();
            world.shrink("h", 0, 1000);
            world.keepWhole();
            assertThat(world.keeper.rows("redis_internal_data")).hasSize(2000);
            world.shrink("h", 1000, 2995);
            world.shrink("h", 2995, 2996);
            world.keepWhole();
            assertThat(world.keeper.rows("redis_internal_data")).hasSize(4);
            world.compare("after the move");
            world.tidy();
            world.keepWhole();
            world.tidy();
            assertThat(world.elementCount()).isEqualTo(4);
        }
    }

    /** A range delete does not tell what went: the keeper must make its tables again. */
    @Test
    void aVeryLargeTrimmingIsFollowedByReadingAllAnew() {
        try (World world = new World(1, 0)) {
            world.stream("s", 20_200);
            world.keepWhole();
            world.trim("s", 5);
            assertThatThrownBy(world::keepWhole)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            refused -> assertThat(refused.error()).isEqualTo(StoreError.POSITION_EXPIRED));
            world.keeper.makeAnew();
            world.catchUp();
            assertThat(world.keeper.rows("redis_stream_data")).hasSize(5);
            world.compare("trimmed");
        }
    }

    /** A keyspace, its projection, and commands by chance. */
    private static final class World implements AutoCloseable {
        private final MemoryStore store = new MemoryStore();
        private final Random random;
        private final Keyspace keyspace;
        private final UnitOfWork unit;
        private final PlainKeeper keeper;
        private final Housekeeping housekeeping;
        private final KeyMoves moves = new KeyMoves();
        private final Flushes flushes = new Flushes();
        private final Lists lists = new Lists();
        private final Strings strings = new Strings();
        private final Bitmaps bitmaps = new Bitmaps();
        private final Streams streams = new Streams(() -> NodeLimits.STANDARD);
        private final Groups groups = new Groups();
        private long now = 1000;

        World(long seed, int shards) {
            random = new Random(seed);
            keyspace = shards == 0 ? Keyspace.open(store) : Keyspace.openSharded(store, shards);
            unit = keyspace.newUnit();
            keeper = new PlainKeeper(store, RedisProjection.of(keyspace), random);
            housekeeping = new Housekeeping(keyspace, () -> Instant.ofEpochMilli(now), keeper);
        }

        void commands() {
            int count = random.nextInt(30);
            for (int i = 0; i < count; i++) {
                unit.begin(now, true);
                int together = random.nextInt(4) == 0 ? 3 : 1;
                for (int j = 0; j < together; j++) {
                    command();
                }
                unit.commit();
                if (random.nextInt(10) == 0) {
                    now += random.nextInt(300);
                    housekeeping.work();
                }
            }
        }

        private void command() {
            Space space = unit.space(db());
            Bytes key = key();
            int kind = random.nextInt(100);
            if (kind < 4) {
                changeLongString(space, key);
            } else if (kind < 15) {
                space.putString(key, sub(), random.nextInt(4) == 0 ? now + random.nextInt(500) : Header.NEVER);
            } else if (kind < 28) {
                changeList(space, key);
            } else if (kind < 46) {
                putElement(space, key, random.nextBoolean() ? Type.HASH : Type.ZSET);
            } else if (kind < 55) {
                removeElement(space, key);
            } else if (kind < 60) {
                space.remove(key);
            } else if (kind < 65) {
                space.header(key).ifPresent(header -> space.put(key, header.withExpireAt(now + random.nextInt(900))));
            } else if (kind < 78) {
                if (space.header(key).isPresent()) {
                    moves.rename(space, key, key());
                }
            } else if (kind < 84) {
                moveOrCopy(space, key);
            } else if (kind < 86) {
                flushes.swap(space, db(), db());
            } else if (kind < 88) {
                flush(space);
            } else {
                streamCommand(space, key);
            }
        }

        private void streamCommand(Space space, Bytes key) {
            if (space.header(key).filter(header -> header.type() != Type.STREAM).isPresent()) {
                space.remove(key);
            }
            Object unusedId = streams.add(space, key, new NewId.Generated(), List.of(sub(), sub()), true, null);
            if (!groups.exists(space, key, GROUP)) {
                groups.create(space, key, GROUP, new Groups.Start(Optional.of(StreamId.MIN), 0), false);
            }
            List<StreamEntry> delivered =
                    new GroupReads().deliver(space, key, new GroupReads.Reader(GROUP, sub(), 2, false));
            switch (random.nextInt(6)) {
                case 0 -> streams.trim(space, key, new TrimRule.ToLength(random.nextInt(3), false, 0));
                case 1 ->
                    streams.delete(
                            space, key, delivered.stream().map(StreamEntry::id).toList());
                case 2 ->
                    groups.acknowledge(
                            space,
                            key,
                            GROUP,
                            delivered.stream().map(StreamEntry::id).toList());
                case 3 -> groups.deleteConsumer(space, key, GROUP, sub());
                case 4 -> groups.destroy(space, key, GROUP);
                default -> {}
            }
        }

        private void changeList(Space space, Bytes key) {
            if (space.header(key).filter(header -> header.type() != Type.LIST).isPresent()) {
                space.remove(key);
            }
            ListEnd end = random.nextInt(3) == 0 ? ListEnd.LEFT : ListEnd.RIGHT;
            switch (random.nextInt(6)) {
                case 0 -> lists.pop(space, key, end, 1 + random.nextInt(2));
                case 1 -> lists.remove(space, key, random.nextInt(3) - 1, sub());
                case 2 -> lists.insert(space, key, random.nextBoolean(), sub(), sub());
                case 3 -> lists.trim(space, key, random.nextInt(2), -1L - random.nextInt(2));
                default -> lists.push(space, key, end, List.of(sub(), sub(), sub()));
            }
            if (lists.size(space, key) > 0 && random.nextInt(3) == 0) {
                lists.set(space, key, -1, sub());
            }
        }

        private void changeLongString(Space space, Bytes key) {
            if (space.header(key).filter(header -> header.type() != Type.STRING).isPresent()) {
                space.remove(key);
            }
            long offset = 8L * OpenString.ONE_ROW_BYTES_MAX + random.nextInt(100_000);
            if (random.nextInt(4) == 0) {
                strings.append(space, key, sub());
            } else {
                bitmaps.set(space, key, random.nextBoolean() ? offset : offset % 500, random.nextInt(2));
            }
        }

        private void moveOrCopy(Space space, Bytes key) {
            int target = db();
            Bytes to = key();
            if (random.nextBoolean() && target != space.database()) {
                moves.move(space, key, unit.space(target));
            } else if (target != space.database() || !to.equals(key)) {
                moves.copy(space, key, unit.space(target), to, true);
            }
        }

        private void flush(Space space) {
            if (random.nextBoolean()) {
                flushes.flush(space);
            } else {
                unit.changeDatabases(unit.databases().flush(space.database()));
            }
        }

        private void putElement(Space space, Bytes key, Type type) {
            if (space.header(key).filter(header -> header.type() != type).isPresent()) {
                space.remove(key);
            }
            CollectionHeader header = space.collectionOrNew(key, type);
            byte[] score = new byte[Long.BYTES];
            BigEndian.putLong(score, 0, SortKeys.exactBits(random.nextInt(5)));
            Bytes value = type == Type.HASH ? sub() : Bytes.of(score);
            boolean wasThere = space.elements(header, ElementKind.counted(type).orElseThrow())
                    .replace(sub(), value);
            if (!wasThere) {
                space.put(key, header.withSize(header.size() + 1));
            }
        }

        private void removeElement(Space space, Bytes key) {
            if (space.header(key).orElse(null) instanceof CollectionHeader header
                    && header.type() != Type.LIST
                    && header.type() != Type.STREAM
                    && header.type() != Type.STRING
                    && space.elements(header, ElementKind.counted(header.type()).orElseThrow())
                            .remove(sub())) {
                space.put(key, header.withSize(header.size() - 1));
            }
        }

        /** A window, which breaks off more often than not. */
        void keep() {
            keeper.window(random.nextBoolean() ? random.nextInt(50) : Integer.MAX_VALUE);
        }

        void keepWhole() {
            assertThat(keeper.window(Integer.MAX_VALUE)).isTrue();
        }

        void catchUp() {
            keepWhole();
            tidy();
            keepWhole();
        }

        void tidy() {
            housekeeping.work();
        }

        void compare(String when) {
            Set<String> compared = new HashSet<>();
            // Nothing has expired for the views either: a projection shows what was not removed.
            for (View view : RedisViews.of(keyspace, () -> Instant.EPOCH, ViewNames.USUAL)) {
                String name = view.name().name();
                if (keeper.tables().contains(name)) {
                    assertThat(keeper.rows(name)).as(when + " " + name).isEqualTo(rows(view));
                    compared.add(name);
                }
            }
            assertThat(compared).isEqualTo(keeper.tables());
        }

        private Set<List<Value>> rows(View view) {
            Set<List<Value>> rows = new HashSet<>();
            try (Snapshot snapshot = store.snapshot();
                    View.RowCursor cursor = view.open(snapshot)) {
                while (cursor.next()) {
                    rows.add(cursor.row().stream().map(World::asShown).toList());
                }
            }
            return rows;
        }

        private static Value asShown(Value value) {
            return value instanceof Value.OfTimestamp time ? new Value.OfBigint(time.micros() / 1000) : value;
        }

        void hash(int database, String key, int fields) {
            unit.begin(now, true);
            Space space = unit.space(database);
            CollectionHeader header = space.newCollection(Bytes.utf8(key), Type.HASH);
            for (int i = 0; i < fields; i++) {
                space.elements(header, ElementKind.HASH_FIELD).put(Bytes.utf8("f" + i), Bytes.utf8("v" + i));
            }
            assertThat(space.header(Bytes.utf8(key))).isEmpty();
            space.put(Bytes.utf8(key), header.withSize(fields));
            unit.commit();
        }

        void shrink(String key, int from, int to) {
            unit.begin(now, true);
            List<Bytes> gone = IntStream.range(from, to)
                    .mapToObj(number -> Bytes.utf8("f" + number))
                    .toList();
            assertThat(new Hashes().remove(unit.space(0), Bytes.utf8(key), gone))
                    .isEqualTo(to - from);
            unit.commit();
        }

        void stream(String key, int entries) {
            unit.begin(now, true);
            for (int i = 0; i < entries; i++) {
                Object unusedId = streams.add(
                        unit.space(0), Bytes.utf8(key), new NewId.Generated(), List.of(sub(), sub()), true, null);
            }
            unit.commit();
        }

        void trim(String key, long length) {
            unit.begin(now, true);
            Object unusedCount = streams.trim(unit.space(0), Bytes.utf8(key), new TrimRule.ToLength(length, false, 0));
            unit.commit();
        }

        void remove(int database, String key) {
            unit.begin(now, true);
            assertThat(unit.space(database).remove(Bytes.utf8(key))).isTrue();
            unit.commit();
        }

        void flushAsIfLarge(int database) {
            unit.begin(now, true);
            unit.changeDatabases(unit.databases().flush(database));
            unit.commit();
        }

        long elementCount() {
            long count = 0;
            try (Cursor rows = store.scan(keyspace.tables().elements(0), KeyRange.ALL)) {
                while (rows.next()) {
                    count++;
                }
            }
            return count;
        }

        private int db() {
            return random.nextInt(3);
        }

        private Bytes key() {
            return Bytes.utf8("k" + random.nextInt(5));
        }

        private Bytes sub() {
            return Bytes.utf8(random.nextInt(8) == 0 ? "" : "s" + random.nextInt(5));
        }

        @Override
        public void close() {
            housekeeping.close();
            keyspace.close();
            store.close();
        }
    }
}
