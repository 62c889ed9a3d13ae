package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Deadlines.Condition;
import io.polytable.redis.model.keyspace.PlainKeyspace.Held;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.redis.model.upkeep.Housekeeping;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.engine.Recovery;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.partition.Partitioning;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.TableStore;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.testkit.CheckedStore;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.testkit.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories of everything that concerns keys, compared with a plain map after each step. */
class KeyspaceHistoryTest {
    private static final int STEPS = 1000;

    /** Every fiftieth step opens the store again, which takes long with an engine. */
    private static final int ENGINE_STEPS = 200;

    private static final Bytes SECRET = Bytes.utf8("a secret of 16 b");
    private static final FileLogOptions LOG = FileLogOptions.defaults().withSegmentBytes(1 << 20);

    /** So that rows are met in memory and in the state. */
    private static final EngineOptions SMALL_GENERATIONS =
            EngineOptions.DEFAULT.withMemory(32 << 20, 32 << 20).withGenerations(16 << 10, Duration.ofMillis(20));

    @TempDir
    private Path directory = Path.of(".");

    static Stream<Arguments> histories() {
        return Stream.of(0, 1, 16).map(shards -> Arguments.of(shards, 1L));
    }

    static Stream<Arguments> moreHistories() {
        return Stream.of(0, 1, 16).flatMap(shards -> Stream.of(2L, 3L).map(seed -> Arguments.of(shards, seed)));
    }

    @ParameterizedTest(name = "{0} shards, seed {1}")
    @MethodSource("histories")
    void answersAsAPlainMapDoes(int shards, long seed) {
        TableStore memory = new ForwardingStore(new MemoryStore()) {
            @Override
            public void close() {
                // Its rows would be gone.
            }
        };
        run(new History(shards, seed, () -> memory), STEPS);
    }

    @ParameterizedTest(name = "{0} shards, seed {1}")
    @MethodSource("moreHistories")
    @Tag("peers")
    void answersAsAPlainMapDoesForLong(int shards, long seed) {
        answersAsAPlainMapDoes(shards, seed);
    }

    @ParameterizedTest(name = "{0} shards, seed {1}")
    @CsvSource({"0, 11", "16, 12"})
    void answersAsAPlainMapDoesOnTheEngine(int shards, long seed) {
        run(new History(shards, seed, () -> EmbeddedStore.open(directory, SMALL_GENERATIONS, LOG)), ENGINE_STEPS);
    }

    @ParameterizedTest(name = "{0} shards, seed {1}")
    @CsvSource({"0, 14", "16, 15"})
    @Tag("peers")
    void answersAsAPlainMapDoesOnTheEngineForLong(int shards, long seed) {
        run(new History(shards, seed, () -> EmbeddedStore.open(directory, SMALL_GENERATIONS, LOG)), STEPS);
    }

    /** All keys in one of several partitions, so that every command may be. */
    @Test
    void answersAsAPlainMapDoesInOneOfSeveralPartitions() {
        run(inOneOfSeveralPartitions(13), ENGINE_STEPS);
    }

    @Test
    @Tag("peers")
    void answersAsAPlainMapDoesInOneOfSeveralPartitionsForLong() {
        run(inOneOfSeveralPartitions(16), STEPS);
    }

    private History inOneOfSeveralPartitions(long seed) {
        Partitioning partitioning = new Partitioning(4, new PartitionLayout(16, 4)::partitionOf);
        return new History(
                16,
                seed,
                "{together}",
                () -> EmbeddedStore.openPartitions(
                        directory, partitioning, SMALL_GENERATIONS, LOG, Recovery.Progress.NONE));
    }

    private static void run(History history, int steps) {
        for (int i = 0; i < steps; i++) {
            history.step(i);
        }
        history.compareEverything();
        history.close();
    }

    /** One history on a keyspace and on the oracle. */
    private static final class History {
        private final int shards;
        private final long seed;
        private final Random random;
        private final String tag;
        private final Supplier<TableStore> stores;
        private final PlainKeyspace oracle = new PlainKeyspace();
        private final KeyMoves moves = new KeyMoves();
        private final Deadlines deadlines = new Deadlines();
        private final Flushes flushes = new Flushes();
        private long now = 1_000_000;
        private CheckedStore store;
        private Keyspace keyspace;
        private UnitOfWork unit;
        private Housekeeping housekeeping;

        /** The supplier opens the store that was closed before, with all it held. */
        History(int shards, long seed, Supplier<TableStore> stores) {
            this(shards, seed, "", stores);
        }

        /** With all keys beginning with the tag. */
        History(int shards, long seed, String tag, Supplier<TableStore> stores) {
            this.tag = tag;
            this.stores = stores;
            this.store = new CheckedStore(stores.get());
            this.shards = shards;
            this.seed = seed;
            this.random = new Random(seed);
            this.keyspace = Keyspace.open(store, shards, SECRET);
            this.unit = keyspace.newUnit();
            this.housekeeping = new Housekeeping(keyspace, () -> Instant.ofEpochMilli(now), FeedFollower.NONE);
        }

        void step(int number) {
            oracle.expire(now);
            unit.begin(now, true);
            int kind = random.nextInt(100);
            if (kind < 80) {
                changeKey(kind, "seed " + seed + ", step " + number);
            } else {
                changeWorld(kind);
            }
            unit.commit();
            if (number % 100 == 0) {
                compareEverything();
            }
        }

        void close() {
            keyspace.close();
            store.close();
        }

        private void changeKey(int kind, String step) {
            int db = db();
            Bytes key = key();
            Bytes value = Bytes.utf8("v" + random.nextInt(10));
            Space space = unit.space(db);
            if (kind < 15) {
                long expireAt = random.nextInt(3) == 0 ? deadline() : Header.NEVER;
                long later = Math.max(expireAt, now + 1);
                space.putString(key, value, expireAt == Header.NEVER ? expireAt : later);
                oracle.putString(db, key, value, expireAt == Header.NEVER ? expireAt : later);
            } else if (kind < 40) {
                assertThat(putField(space, key, value, value))
                        .as(step)
                        .isEqualTo(oracle.putField(db, key, value, value));
            } else if (kind < 48) {
                assertThat(removeField(space, key, value)).as(step).isEqualTo(oracle.removeField(db, key, value));
            } else if (kind < 53) {
                assertThat(space.remove(key)).as(step).isEqualTo(oracle.remove(db, key));
            } else if (kind < 62) {
                Condition condition = condition();
                long deadline = deadline();
                assertThat(deadlines.set(space, key, deadline, condition))
                        .as(step)
                        .isEqualTo(oracle.setDeadline(db, key, deadline, condition, now));
            } else if (kind < 65) {
                assertThat(deadlines.clear(space, key)).as(step).isEqualTo(oracle.clearDeadline(db, key));
            } else {
                relocate(kind, db, key, step);
            }
        }

        private void relocate(int kind, int db, Bytes key, String step) {
            Space space = unit.space(db);
            int target = db();
            Bytes to = key();
            boolean replace = random.nextBoolean();
            if (kind < 70) {
                assertThat(renamed(space, key, to)).as(step).isEqualTo(oracle.rename(db, key, to));
            } else if (kind < 73) {
                boolean mayRename =
                        space.header(key).isPresent() && !oracle.database(db).containsKey(to);
                boolean did = space.header(key).isPresent() && moves.renameIfAbsent(space, key, to);
                assertThat(did).as(step).isEqualTo(mayRename && oracle.rename(db, key, to));
            } else if (kind < 76) {
                boolean did = target != db && moves.move(space, key, unit.space(target));
                assertThat(did).as(step).isEqualTo(target != db && oracle.move(db, key, target));
            } else if (target != db || !to.equals(key)) {
                assertThat(moves.copy(space, key, unit.space(target), to, replace))
                        .as(step)
                        .isEqualTo(oracle.copy(db, key, target, to, replace));
            }
        }

        private boolean renamed(Space space, Bytes from, Bytes to) {
            if (space.header(from).isEmpty()) {
                return false;
            }
            moves.rename(space, from, to);
            return true;
        }

        private void changeWorld(int kind) {
            if (kind < 92) {
                now += random.nextInt(500);
            } else if (kind < 94) {
                int one = db();
                int other = db();
                flushes.swap(unit.space(0), one, other);
                oracle.swap(one, other);
            } else if (kind < 95) {
                int db = db();
                if (random.nextBoolean()) {
                    flushes.flush(unit.space(db));
                } else {
                    // What a flush of a large database does.
                    unit.changeDatabases(unit.databases().flush(db));
                }
                oracle.flush(db);
            } else if (kind == 95 && random.nextInt(4) == 0) {
                flushes.flushAll(unit.space(0));
                oracle.flushAll();
            } else if (kind < 98) {
                housekeeping.work();
            } else {
                reopen();
            }
        }

        private void reopen() {
            unit.commit();
            keyspace.close();
            store.close();
            store = new CheckedStore(stores.get());
            keyspace = Keyspace.open(store, shards, KeyedHash.newSecret());
            unit = keyspace.newUnit();
            unit.begin(now, true);
            housekeeping = new Housekeeping(keyspace, () -> Instant.ofEpochMilli(now), FeedFollower.NONE);
        }

        private boolean putField(Space space, Bytes key, Bytes field, Bytes value) {
            if (space.header(key).filter(header -> header.type() != Type.HASH).isPresent()) {
                return false;
            }
            CollectionHeader hash = space.collectionOrNew(key, Type.HASH);
            Elements fields = space.elements(hash, ElementKind.HASH_FIELD);
            boolean isNew = fields.get(field).isEmpty();
            fields.put(field, value);
            if (isNew) {
                space.put(key, hash.withSize(hash.size() + 1));
            }
            return isNew;
        }

        private boolean removeField(Space space, Bytes key, Bytes field) {
            if (space.header(key).filter(header -> header.type() == Type.HASH).isEmpty()) {
                return false;
            }
            CollectionHeader hash = space.collectionOrNew(key, Type.HASH);
            Elements fields = space.elements(hash, ElementKind.HASH_FIELD);
            if (fields.get(field).isEmpty()) {
                return false;
            }
            fields.delete(field);
            space.put(key, hash.withSize(hash.size() - 1));
            return true;
        }

        /** Everything a client can see, what the check finds, and the count of keys once no expired ones are left. */
        void compareEverything() {
            oracle.expire(now);
            housekeeping.work();
            unit.begin(now, false);
            for (int db = 0; db < Keyspace.DATABASES; db++) {
                Space space = unit.space(db);
                assertThat(seen(space)).as("seed %d", seed).isEqualTo(new TreeMap<>(oracle.database(db)));
                assertThat(space.size())
                        .as("seed %d", seed)
                        .isEqualTo(oracle.database(db).size());
            }
            assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings())
                    .as("seed %d", seed)
                    .isEmpty();
        }

        private Map<Bytes, Held> seen(Space space) {
            Map<Bytes, Held> seen = new TreeMap<>();
            for (Bytes key : new KeyWalk().all(space, (any, header) -> true)) {
                seen.put(key, held(space, space.header(key).orElseThrow()));
            }
            return seen;
        }

        private Held held(Space space, Header header) {
            if (header instanceof StringHeader string) {
                return new Held(Type.STRING, Map.of(Bytes.EMPTY, string.value()), string.expireAt());
            }
            Map<Bytes, Bytes> content = new HashMap<>();
            Elements fields = space.elements((CollectionHeader) header, ElementKind.HASH_FIELD);
            try (Cursor rows = fields.scan(Direction.FORWARD, Long.MAX_VALUE)) {
                while (rows.next()) {
                    content.put(fields.sub(rows), rows.value());
                }
            }
            return new Held(Type.HASH, content, header.expireAt());
        }

        private int db() {
            return random.nextInt(4) * 5;
        }

        private Bytes key() {
            return Bytes.utf8(tag + "k" + random.nextInt(12));
        }

        private long deadline() {
            return now - 100 + random.nextInt(3000);
        }

        private Condition condition() {
            int which = random.nextInt(6);
            return new Condition(which == 1, which == 2, which == 3, which == 4);
        }
    }
}
