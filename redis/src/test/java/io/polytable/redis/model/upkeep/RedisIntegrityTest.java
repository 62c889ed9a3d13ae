package io.polytable.redis.model.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.zset.SortedSet;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.testkit.CheckedStore;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants damage in rows, and sees that the check names it and that the repair fixes it. */
class RedisIntegrityTest {
    private static final Bytes HASH = Bytes.utf8("hash");
    private static final Bytes ZSET = Bytes.utf8("zset");
    private static final Bytes EXPIRING = Bytes.utf8("mortal");
    private static final long DEADLINE = 5_000;
    private static final int MEMBERS = 500;

    private final CheckedStore store = new CheckedStore(new MemoryStore());
    private final Keyspace keyspace = Keyspace.openSharded(store, 2);
    private final RedisTables tables = keyspace.tables();
    private final WriteSet writes = new WriteSet(store);
    private final UnitOfWork unit = keyspace.newUnit();

    @BeforeEach
    void fill() {
        unit.begin(0, true);
        Space space = unit.space(4);
        space.putString(EXPIRING, Bytes.utf8("v"), DEADLINE);
        new Hashes().put(space, HASH, List.of(Bytes.utf8("f"), Bytes.utf8("1"), Bytes.utf8("g"), Bytes.utf8("2")));
        for (int i = 0; i < MEMBERS; i++) {
            CollectionHeader zset = space.collectionOrNew(ZSET, Type.ZSET);
            SortedSet set = new SortedSet(space, ZSET, zset);
            set.add(Bytes.utf8("m" + i), i);
            set.save();
        }
        unit.commit();
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).findings()).isEmpty();
    }

    @AfterEach
    void leavesNothingOpen() {
        keyspace.close();
        store.close();
    }

    /** A kind of damage: what it breaks, and what the check says then. */
    enum Damage {
        WRONG_SIZE("its header says 7 elements, it has 2") {
            @Override
            void plant(RedisIntegrityTest test) {
                test.putHeader(HASH, test.collection(HASH).withSize(7));
            }
        },
        WRONG_ORDER("the order in its header is not that of its elements") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader hash = test.collection(HASH);
                test.putHeader(HASH, hash.withFields(hash.fields().slice(0, 5).concat(Bytes.of(new byte[4]))));
            }
        },
        DEADLINE_WITHOUT_ROW("its deadline has no row in the order of deadlines") {
            @Override
            void plant(RedisIntegrityTest test) {
                test.writes.delete(test.tables.expiries(0), Layout.expiry(DEADLINE, 4, EXPIRING));
            }
        },
        ROW_WITHOUT_DEADLINE("a row in the order of deadlines is not its deadline") {
            @Override
            void plant(RedisIntegrityTest test) {
                test.writes.put(test.tables.expiries(0), Layout.expiry(17, 4, HASH), Bytes.EMPTY);
            }
        },
        ORPHANS("elements belong to no key and are not noted as garbage") {
            @Override
            void plant(RedisIntegrityTest test) {
                RowKey row = Layout.element(999, ElementKind.LIST_ELEMENT, Bytes.utf8("x"));
                test.writes.put(test.tables.elements(1), row, Bytes.utf8("lost"));
            }
        },
        LIVE_GARBAGE("elements that belong to a key are noted as garbage") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader hash = test.collection(HASH);
                test.writes.put(
                        test.tables.garbage(0),
                        Layout.garbage(hash.id()),
                        Garbage.of(hash).row());
            }
        },
        STRAY_KIND("it is a hash but has rows of SET_MEMBER") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader hash = test.collection(HASH);
                RowKey row = Layout.hashOrderedElement(hash.id(), ElementKind.SET_MEMBER, 0, Bytes.utf8("x"));
                test.writes.put(test.tables.elements(hash.home()), row, Bytes.EMPTY);
            }
        },
        MISPLACED_FIELD("its element \"f\" is where no reader looks for it") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader hash = test.collection(HASH);
                Table elements = test.tables.elements(hash.home());
                Bytes field = Bytes.utf8("f");
                int keyedHash = test.tables.keyedHash().of(field);
                RowKey right = Layout.hashOrderedElement(hash.id(), ElementKind.HASH_FIELD, keyedHash, field);
                RowKey wrong = Layout.hashOrderedElement(hash.id(), ElementKind.HASH_FIELD, keyedHash + 1, field);
                test.writes.delete(elements, right);
                test.writes.put(elements, wrong, Bytes.utf8("1"));
            }
        },
        MISPLACED_KEY("its row is where no reader looks for it") {
            @Override
            void plant(RedisIntegrityTest test) {
                int keyedHash = test.tables.keyedHash().of(HASH);
                Table keys = test.tables.keys(test.tables.part(HASH));
                CollectionHeader hash = test.collection(HASH);
                test.writes.delete(keys, Layout.key(4, keyedHash, HASH));
                test.writes.put(keys, Layout.key(4, keyedHash + 1, HASH), hash.rowHead(), hash.rowTail());
            }
        },
        NO_ORDER("its header says 500 members, its order has 0") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader zset = test.collection(ZSET);
                test.writes.deleteRange(
                        test.tables.elements(zset.home()), Layout.elements(zset.id(), ElementKind.ZSET_ORDER));
            }
        },
        NO_FENCES("before its first fence") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader zset = test.collection(ZSET);
                test.writes.deleteRange(
                        test.tables.elements(zset.home()), Layout.elements(zset.id(), ElementKind.ZSET_FENCE));
            }
        },
        LOST_MEMBER("its header says 500 members, it has 499") {
            @Override
            void plant(RedisIntegrityTest test) {
                CollectionHeader zset = test.collection(ZSET);
                Bytes member = Bytes.utf8("m7");
                RowKey row = Layout.hashOrderedElement(
                        zset.id(),
                        ElementKind.ZSET_MEMBER,
                        test.tables.keyedHash().of(member),
                        member);
                test.writes.delete(test.tables.elements(zset.home()), row);
            }
        };

        private final String said;

        Damage(String said) {
            this.said = said;
        }

        abstract void plant(RedisIntegrityTest test);
    }

    private CollectionHeader collection(Bytes key) {
        return (CollectionHeader) tables.header(store, 4, key).orElseThrow();
    }

    private void putHeader(Bytes key, Header header) {
        RowKey row = Layout.key(4, tables.keyedHash().of(key), key);
        writes.put(tables.keys(tables.part(key)), row, header.rowHead(), header.rowTail());
    }

    @ParameterizedTest
    @EnumSource
    void findsAndRepairs(Damage damage) {
        List<String> rows = rows();
        damage.plant(this);
        writes.commit();
        List<Long> progress = new ArrayList<>();

        RepairReport report = RedisIntegrity.repair(keyspace, (done, total) -> progress.add(total));

        assertThat(report.before().findings())
                .extracting(Finding::problem)
                .anyMatch(problem -> problem.contains(damage.said));
        assertThat(report.after().findings()).isEmpty();
        assertThat(progress).isNotEmpty();
        if (damage != Damage.LOST_MEMBER) {
            assertThat(rows()).isEqualTo(rows);
        }
    }

    @Test
    void leavesWhatIsWholeAlone() {
        List<String> rows = rows();

        assertThat(RedisIntegrity.repair(keyspace, Progress.NONE).before().isClean())
                .isTrue();
        assertThat(rows()).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u007f",
                "\u0005\u0000",
                "\u0005\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001\u0009\u0001"
            })
    void damagedHeadersAreReportedAndLeft(String header) {
        writes.put(
                tables.keys(tables.part(HASH)), Layout.key(4, tables.keyedHash().of(HASH), HASH), Bytes.utf8(header));
        writes.commit();

        List<String> rows = rows();

        RepairReport report = RedisIntegrity.repair(keyspace, Progress.NONE);

        assertThat(report.before().findings()).extracting(Finding::key).contains(HASH);
        assertThat(report.after()).isEqualTo(report.before());
        assertThat(rows()).isEqualTo(rows);
    }

    /** The row of the deadline stays too: it may be all that is left of the key's deadline. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\u007f", "\u0005\u0000"})
    void aDamagedHeaderWithADeadlineEndsNeitherCheckNorRepair(String header) {
        Table keys = tables.keys(tables.part(EXPIRING));
        writes.put(keys, Layout.key(4, tables.keyedHash().of(EXPIRING), EXPIRING), Bytes.utf8(header));
        writes.commit();
        List<String> damaged = rows();
        Damage.WRONG_SIZE.plant(this);
        Damage.ROW_WITHOUT_DEADLINE.plant(this);
        writes.commit();

        RepairReport report = RedisIntegrity.repair(keyspace, Progress.NONE);

        assertThat(report.before().findings()).extracting(Finding::key).contains(EXPIRING, HASH);
        assertThat(report.after().findings()).extracting(Finding::key).containsOnly(EXPIRING);
        assertThat(rows()).isEqualTo(damaged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "\u0000\u007f", "\u0009\u0005"})
    void damagedGarbageIsDeletedWithItsElements(String note) {
        List<String> rows = rows();
        RowKey element = Layout.element(999, ElementKind.LIST_ELEMENT, Bytes.utf8("x"));
        writes.put(tables.elements(1), element, Bytes.utf8("lost"));
        writes.put(tables.garbage(0), Layout.garbage(999), Bytes.utf8(note));
        writes.commit();

        RepairReport report = RedisIntegrity.repair(keyspace, Progress.NONE);

        assertThat(report.before().findings())
                .extracting(Finding::problem)
                .anyMatch(problem -> problem.contains("a garbage row cannot be read"));
        assertThat(report.after().findings()).isEmpty();
        assertThat(rows()).isEqualTo(rows);
    }

    /** Every row of every table, the order and fences of the sorted set apart: how those are cut may differ. */
    private List<String> rows() {
        List<String> all = new ArrayList<>();
        for (Table table : store.tables()) {
            try (Cursor rows = store.scan(table, KeyRange.ALL)) {
                while (rows.next()) {
                    boolean isFence = table.name().name().startsWith("elements")
                            && rows.key().at(Long.BYTES) == ElementKind.ZSET_FENCE.tag();
                    if (!isFence) {
                        all.add(table.name() + " " + rows.key() + " " + rows.value());
                    }
                }
            }
        }
        return all;
    }
}
