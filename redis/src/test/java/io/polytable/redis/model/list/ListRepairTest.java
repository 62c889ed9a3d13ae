package io.polytable.redis.model.list;

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
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import io.polytable.table.testkit.MemoryStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plants damage in the rows of lists, and sees that the check names it and that the repair fixes it. */
class ListRepairTest {
    private static final Bytes DENSE = Bytes.utf8("dense");
    private static final Bytes SPARSE = Bytes.utf8("sparse");
    private static final int ELEMENTS = 500;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.open(store);
    private final RedisTables tables = keyspace.tables();
    private final Table elements = tables.elements(0);
    private final UnitOfWork unit = keyspace.newUnit();
    private final WriteSet writes = new WriteSet(store);
    private final Lists lists = new Lists();
    private final List<Bytes> values = new ArrayList<>();

    @BeforeEach
    void fill() {
        for (int i = 0; i < ELEMENTS; i++) {
            values.add(Bytes.utf8("e" + i));
        }
        unit.begin(0, true);
        Space space = unit.space(0);
        lists.push(space, DENSE, ListEnd.RIGHT, values);
        lists.push(space, SPARSE, ListEnd.RIGHT, values);
        lists.remove(space, SPARSE, 1, values.get(250));
        unit.commit();
        assertThat(findings()).isEmpty();
    }

    private List<String> findings() {
        return RedisIntegrity.verify(keyspace, Progress.NONE).findings().stream()
                .map(Object::toString)
                .toList();
    }

    private CollectionHeader header(Bytes key) {
        unit.begin(0, false);
        return unit.space(0).collection(key, Type.LIST).orElseThrow();
    }

    private void put(Bytes key, CollectionHeader header) {
        int hash = tables.keyedHash().of(key);
        writes.put(tables.keys(0), Layout.key(0, hash, key), header.rowHead(), header.rowTail());
    }

    private List<Bytes> repaired(Bytes key, String finding) {
        var unusedCommit = writes.commit();
        assertThat(findings()).anySatisfy(found -> assertThat(found).contains(finding));
        assertThat(RedisIntegrity.repair(keyspace, Progress.NONE).after().findings())
                .isEmpty();
        UnitOfWork fresh = Keyspace.open(store).newUnit();
        fresh.begin(0, false);
        return lists.range(fresh.space(0), key, 0, -1);
    }

    @Test
    void aWrongSize() {
        put(DENSE, header(DENSE).withSize(7));
        assertThat(repaired(DENSE, "its header says 7 elements, it has 500")).isEqualTo(values);
    }

    @Test
    void aWrongFirstPosition() {
        put(DENSE, header(DENSE).withFields(ListSortKeys.of(-3)));
        assertThat(repaired(DENSE, "an element stands at")).isEqualTo(values);
    }

    @Test
    void anUnreadableHeader() {
        put(SPARSE, header(SPARSE).withFields(Bytes.utf8("nonsense, surely")));
        values.remove(250);
        assertThat(repaired(SPARSE, "cannot be read")).isEqualTo(values);
    }

    @Test
    void lostFences() {
        writes.deleteRange(elements, Layout.elements(header(SPARSE).id(), ElementKind.LIST_FENCE));
        values.remove(250);
        assertThat(repaired(SPARSE, "its highest level has 0 fences")).isEqualTo(values);
    }

    @Test
    void aLostElementInTheMiddle() {
        writes.delete(elements, Layout.element(header(DENSE).id(), ElementKind.LIST_ELEMENT, ListSortKeys.of(100)));
        values.remove(100);
        assertThat(repaired(DENSE, "an element stands at")).isEqualTo(values);
    }

    @Test
    void anElementAtNoPlace() {
        Bytes stray = Bytes.utf8("a stray");
        writes.put(elements, Layout.element(header(SPARSE).id(), ElementKind.LIST_ELEMENT, Bytes.utf8("x")), stray);
        values.remove(250);
        values.add(stray);
        assertThat(repaired(SPARSE, "which is no place in a list")).isEqualTo(values);
    }
}
