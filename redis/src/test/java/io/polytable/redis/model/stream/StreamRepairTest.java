package io.polytable.redis.model.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.stream.entry.StreamEntry;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.upkeep.Finding;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plants damage in a stream's rows, and sees that the check names it and that the repair fixes it. */
class StreamRepairTest {
    private static final Bytes KEY = Bytes.utf8("s");
    private static final Bytes GROUP = Bytes.utf8("g");
    private static final Bytes CONSUMER = Bytes.utf8("c");
    private static final Bytes JUNK = Bytes.utf8("\u007f junk");
    private static final int ENTRIES = 250;
    private static final int DELIVERED = 20;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.open(store);
    private final RedisTables tables = keyspace.tables();
    private final WriteSet writes = new WriteSet(store);
    private final UnitOfWork unit = keyspace.newUnit();
    private final Streams streams = new Streams(() -> NodeLimits.STANDARD);
    private final Groups groups = new Groups();

    @BeforeEach
    void fill() {
        unit.begin(1000, true);
        Space space = unit.space(0);
        for (int i = 1; i <= ENTRIES; i++) {
            Object unused = streams.add(
                    space, KEY, new NewId.Given(id(i)), List.of(Bytes.utf8("f"), Bytes.utf8("v" + i)), true, null);
        }
        groups.create(space, KEY, GROUP, new Groups.Start(Optional.of(StreamId.MIN), 0), false);
        Object unusedEntries =
                new GroupReads().deliver(space, KEY, new GroupReads.Reader(GROUP, CONSUMER, DELIVERED, false));
        unit.commit();
        assertThat(findings()).isEmpty();
    }

    private static StreamId id(int number) {
        return new StreamId(number, 0);
    }

    private List<Finding> findings() {
        return RedisIntegrity.verify(keyspace, Progress.NONE).findings();
    }

    /** A kind of damage: what it breaks, and what the check says then. */
    enum Damage {
        LOST_ENTRY("its header says 250 elements, it has 249") {
            @Override
            void plant(StreamRepairTest test) {
                test.delete(ElementKind.STREAM_ENTRY, id(30).bytes());
            }
        },
        UNREADABLE_ENTRY("its entry 30-0 cannot be read") {
            @Override
            void plant(StreamRepairTest test) {
                test.put(ElementKind.STREAM_ENTRY, id(30).bytes(), JUNK);
            }
        },
        SHORT_ID("an entry has an id of 3 bytes") {
            @Override
            void plant(StreamRepairTest test) {
                test.put(ElementKind.STREAM_ENTRY, Bytes.of(new byte[3]), Bytes.of(new byte[1]));
            }
        },
        LOST_NODE("its header says 2 nodes, it has 1") {
            @Override
            void plant(StreamRepairTest test) {
                test.delete(ElementKind.STREAM_NODE, id(1).bytes());
            }
        },
        WRONG_FIRST("its header says that 0-0 is its first entry, it is 1-0") {
            @Override
            void plant(StreamRepairTest test) {
                test.putFields(Bytes.EMPTY);
            }
        },
        UNREADABLE_HEADER("what its header says of a stream cannot be read") {
            @Override
            void plant(StreamRepairTest test) {
                test.putFields(Bytes.of(new byte[] {1}));
            }
        },
        LOST_CONSUMER("its pending entry 1-0 of " + GROUP + " belongs to no consumer") {
            @Override
            void plant(StreamRepairTest test) {
                test.delete(ElementKind.STREAM_CONSUMER, StreamRows.ofConsumer(GROUP, CONSUMER));
            }
        },
        LOST_PENDING("its consumer " + CONSUMER + " of " + GROUP + " counts 20 pending entries, it has 19") {
            @Override
            void plant(StreamRepairTest test) {
                test.delete(ElementKind.STREAM_PENDING, StreamRows.ofPending(GROUP, id(1)));
            }
        },
        LOST_PLACE("its pending entry 2-0 of " + GROUP + " is not among its owner's") {
            @Override
            void plant(StreamRepairTest test) {
                test.delete(ElementKind.STREAM_OWNED, StreamRows.ofOwned(GROUP, CONSUMER, id(2)));
            }
        },
        HIDDEN_PENDING("its pending entry 99-0 of " + GROUP + " is where no reader looks for it") {
            @Override
            void plant(StreamRepairTest test) {
                test.put(
                        ElementKind.STREAM_PENDING,
                        StreamRows.ofPending(GROUP, id(99)),
                        new Pending(id(99), CONSUMER, 5, 1).row());
            }
        },
        STRAY_CONSUMER("it has 2 consumers, its groups 1") {
            @Override
            void plant(StreamRepairTest test) {
                test.put(
                        ElementKind.STREAM_CONSUMER,
                        StreamRows.ofConsumer(Bytes.utf8("none"), CONSUMER),
                        Consumer.created(CONSUMER, 1).row());
            }
        },
        UNREADABLE_GROUP("its group " + GROUP + " has rows that cannot be read") {
            @Override
            void plant(StreamRepairTest test) {
                test.put(ElementKind.STREAM_GROUP, GROUP, JUNK);
            }
        };

        private final String told;

        Damage(String told) {
            this.told = told;
        }

        abstract void plant(StreamRepairTest test);
    }

    @ParameterizedTest
    @EnumSource
    void isFoundAndRepaired(Damage damage) {
        damage.plant(this);
        Object unusedCommit = writes.commit();

        assertThat(findings()).extracting(Finding::problem).contains(damage.told);
        assertThat(RedisIntegrity.repair(keyspace, Progress.NONE).after().findings())
                .isEmpty();
        unit.begin(1000, true);
        assertThat(streams.range(unit.space(0), KEY, id(100), id(110), Direction.FORWARD, 100))
                .extracting(StreamEntry::id)
                .startsWith(id(100))
                .hasSize(11);
        assertThat(streams.add(
                        unit.space(0),
                        KEY,
                        new NewId.Generated(),
                        List.of(Bytes.utf8("f"), Bytes.utf8("v")),
                        true,
                        new TrimRule.ToLength(50, false, 0)))
                .contains(new StreamId(1000, 0));
        unit.commit();
        assertThat(findings()).isEmpty();
    }

    @Test
    void anEmptyStreamIsNoFinding() {
        unit.begin(1000, true);
        assertThat(streams.trim(unit.space(0), KEY, new TrimRule.ToLength(0, false, 0)))
                .isEqualTo(ENTRIES);
        unit.commit();
        assertThat(findings()).isEmpty();
        unit.begin(1000, false);
        assertThat(unit.space(0).header(KEY)).isPresent();
    }

    private CollectionHeader header() {
        return (CollectionHeader) tables.header(store, 0, KEY).orElseThrow();
    }

    private void putFields(Bytes fields) {
        CollectionHeader next = header().withFields(fields);
        assertThat(next.type()).isEqualTo(Type.STREAM);
        writes.put(tables.keys(0), Layout.key(0, tables.keyedHash().of(KEY), KEY), next.rowHead(), next.rowTail());
    }

    private void put(ElementKind kind, Bytes sub, Bytes value) {
        writes.put(tables.elements(0), Layout.element(header().id(), kind, sub), value);
    }

    private void delete(ElementKind kind, Bytes sub) {
        writes.delete(tables.elements(0), Layout.element(header().id(), kind, sub));
    }
}
