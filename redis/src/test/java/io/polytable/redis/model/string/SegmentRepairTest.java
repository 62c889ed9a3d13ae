package io.polytable.redis.model.string;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Segments;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plants damage in the segments of a string, and sees that the check names it and that the repair fixes it. */
class SegmentRepairTest {
    private static final Bytes KEY = Bytes.utf8("bits");
    private static final int LENGTH = 50_000;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.open(store);
    private final RedisTables tables = keyspace.tables();
    private final UnitOfWork unit = keyspace.newUnit();
    private final WriteSet writes = new WriteSet(store);
    private final Strings strings = new Strings();
    private final byte[] expected = new byte[LENGTH];

    @BeforeEach
    void fill() {
        unit.begin(0, true);
        for (int at : new int[] {0, 20_000, LENGTH - 1}) {
            strings.overwrite(unit.space(0), KEY, at, Bytes.utf8("x"));
            expected[at] = 'x';
        }
        unit.commit();
        assertThat(findings()).isEmpty();
    }

    private List<String> findings() {
        return RedisIntegrity.verify(keyspace, Progress.NONE).findings().stream()
                .map(Object::toString)
                .toList();
    }

    private CollectionHeader header() {
        unit.begin(0, false);
        return unit.space(0).collection(KEY, Type.STRING).orElseThrow();
    }

    private RowKey row(Bytes sub) {
        return Layout.element(header().id(), ElementKind.STRING_SEGMENT, sub);
    }

    private void put(CollectionHeader header) {
        int hash = tables.keyedHash().of(KEY);
        writes.put(tables.keys(0), Layout.key(0, hash, KEY), header.rowHead(), header.rowTail());
    }

    private Bytes repaired(String finding) {
        var unusedCommit = writes.commit();
        assertThat(findings()).anySatisfy(found -> assertThat(found).contains(finding));
        assertThat(RedisIntegrity.repair(keyspace, Progress.NONE).after().findings())
                .isEmpty();
        UnitOfWork fresh = Keyspace.open(store).newUnit();
        fresh.begin(0, false);
        return strings.get(fresh.space(0), KEY).orElseThrow();
    }

    @Test
    void aLengthThatDoesNotReachWhatIsStored() {
        put(header().withSize(20_000));
        assertThat(repaired("lies behind its length of 20000")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void noLength() {
        put(header().withSize(0));
        assertThat(repaired("it is a string in segments of 0 bytes")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void aSegmentThatEndsInZeros() {
        writes.put(tables.elements(0), row(Segments.sub(1)), Bytes.of(new byte[] {7, 0, 0}));
        expected[Segments.BYTES] = 7;
        assertThat(repaired("its segment 1 ends in zeros")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void anEmptySegment() {
        writes.put(tables.elements(0), row(Segments.sub(2)), Bytes.EMPTY);
        assertThat(repaired("its segment 2 ends in zeros")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void aSegmentThatIsTooLong() {
        byte[] segment = new byte[Segments.BYTES + 3];
        segment[5] = 9;
        segment[segment.length - 1] = 1;
        writes.put(tables.elements(0), row(Segments.sub(1)), Bytes.of(segment));
        expected[Segments.BYTES + 5] = 9;
        assertThat(repaired("its segment 1 is too long")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void aSegmentWithoutANumber() {
        writes.put(tables.elements(0), row(Bytes.utf8("12345")), Bytes.utf8("y"));
        assertThat(repaired("a segment without a number")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void aSegmentBeyondWhatAStringCanBe() {
        writes.put(tables.elements(0), row(Segments.sub(1 << 20)), Bytes.utf8("y"));
        assertThat(repaired("its segment 1048576 lies behind its length")).isEqualTo(Bytes.of(expected));
    }

    @Test
    void rowsOfAnotherType() {
        writes.put(
                tables.elements(0),
                Layout.element(header().id(), ElementKind.LIST_ELEMENT, Bytes.utf8("12345678")),
                Bytes.utf8("y"));
        assertThat(repaired("it is a string but has rows of LIST_ELEMENT")).isEqualTo(Bytes.of(expected));
    }
}
