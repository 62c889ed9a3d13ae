package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who hears of changed keys, when, and when not. */
class KeyChangesTest {
    private static final Bytes KEY = Bytes.utf8("key");
    private static final Bytes OTHER = Bytes.utf8("other");
    private static final KeyEvent SET = new KeyEvent(EventClass.STRING, "set");

    private final Keyspace keyspace = Keyspace.open(new MemoryStore());
    private final UnitOfWork unit = keyspace.newUnit();
    private final List<ChangeListener.Unit> heard = new ArrayList<>();
    private final KeyChanges.Subscription subscription = keyspace.changes().subscribe(heard::add);

    @Test
    void nothingIsNotedWhileNobodyListens() {
        put(KEY);
        assertThat(unit.changes().soFar()).isEmpty();
        commit();
        assertThat(heard).isEmpty();
    }

    @Test
    void aUnitIsToldOnceAfterItsCommit() {
        subscription.wantChanges(true);
        put(KEY);
        put(OTHER);
        unit.space(0).remove(KEY);
        assertThat(heard).isEmpty();
        commit();
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0).changes())
                .containsExactly(
                        new Change.Key(0, KEY, KeyEvent.NEW, Type.STRING),
                        new Change.Key(0, OTHER, KeyEvent.NEW, Type.STRING),
                        new Change.Key(0, KEY, KeyEvent.DEL, null));
        assertThat(heard.get(0).origin()).isSameAs(Origin.BACKGROUND);
        unit.commit();
        assertThat(heard).hasSize(1);
    }

    @Test
    void anAbandonedUnitIsNeverTold() {
        subscription.wantChanges(true);
        put(KEY);
        unit.abandon();
        begin();
        put(OTHER);
        commit();
        assertThat(keys(heard)).containsExactly(OTHER);
    }

    @Test
    void aFailedCommitIsNeverTold() {
        MemoryStore store = new MemoryStore();
        Keyspace failing = Keyspace.open(store);
        failing.changes().subscribe(heard::add).wantChanges(true);
        UnitOfWork work = failing.newUnit();
        work.begin(0, true);
        work.space(0).putString(KEY, KEY, Header.NEVER);
        store.close();
        assertThat(catchThrowable(work::commit)).isInstanceOf(StoreException.class);
        assertThat(heard).isEmpty();
    }

    @Test
    void whatIsRolledBackToASavepointIsNotTold() {
        subscription.wantChanges(true);
        begin();
        Space space = unit.space(0);
        space.putString(KEY, KEY, Header.NEVER);
        space.putString(KEY, OTHER, Header.NEVER);
        int mark = unit.changes().mark();
        space.changed(KEY, SET);
        space.putString(OTHER, KEY, Header.NEVER);
        unit.changes().rollBackTo(mark);
        assertThat(unit.changes().soFar()).containsExactly(new Change.Key(0, KEY, KeyEvent.NEW, Type.STRING));
    }

    @Test
    void aMissIsToldAlsoWhenItsCommandIsRolledBack() {
        List<Bytes> missed = new ArrayList<>();
        KeyChanges.Subscription misses = keyspace.changes().subscribe(new ChangeListener() {
            @Override
            public void committed(Unit unit) {}

            @Override
            public void missed(int database, Bytes key, Origin origin) {
                missed.add(key);
            }
        });
        misses.wantMisses(true);
        subscription.wantChanges(true);
        begin();
        Space space = unit.space(0);
        space.putString(KEY, KEY, Header.NEVER);
        UnitOfWork.Savepoint savepoint = unit.savepoint();
        space.missed(OTHER);
        space.remove(KEY);
        unit.rollBackTo(savepoint);
        commit();
        assertThat(missed).containsExactly(OTHER);
        assertThat(heard)
                .extracting(ChangeListener.Unit::changes)
                .containsExactly(List.of(new Change.Key(0, KEY, KeyEvent.NEW, Type.STRING)));
    }

    @Test
    void aUnitRolledBackToASavepointIsAsItWas() {
        put(KEY);
        commit();
        subscription.wantChanges(true);
        SortedSets sets = new SortedSets();
        Bytes set = Bytes.utf8("set");
        // The last hundred stand before the others: whoever still counted them would get ranks wrong.
        List<Element> members = IntStream.range(0, 300)
                .mapToObj(i -> new Element(i < 200 ? i : -i, Bytes.utf8("m" + i)))
                .toList();
        begin();
        sets.add(unit.space(0), set, AddRules.ANY, members.subList(0, 200));
        UnitOfWork.Savepoint savepoint = unit.savepoint();
        sets.add(unit.space(0), set, AddRules.ANY, members.subList(200, 300));
        unit.space(0).remove(KEY);
        unit.space(1).putString(OTHER, OTHER, 10_000);
        unit.rollBackTo(savepoint);
        assertThat(unit.space(0).size()).isEqualTo(2);
        commit();
        begin();
        assertThat(keys(heard)).containsOnly(set);
        assertThat(unit.space(0).header(KEY)).isPresent();
        assertThat(unit.space(0).size()).isEqualTo(2);
        assertThat(unit.space(1).size()).isZero();
        assertThat(unit.space(1).expiringCount()).isZero();
        assertThat(sets.size(unit.space(0), set)).isEqualTo(200);
        assertThat(sets.rank(unit.space(0), set, Bytes.utf8("m150"), Direction.FORWARD))
                .hasValueSatisfying(ranked -> assertThat(ranked.rank()).isEqualTo(150));
    }

    @Test
    void anUnnamedChangeIsToldUnlessAnEventTakesItOver() {
        put(KEY);
        commit();
        subscription.wantChanges(true);
        put(KEY);
        commit();
        put(KEY);
        unit.space(0).changed(KEY, SET);
        commit();
        assertThat(heard.stream().flatMap(each -> each.changes().stream()))
                .containsExactly(
                        new Change.Key(0, KEY, KeyEvent.UNNAMED, Type.STRING),
                        new Change.Key(0, KEY, SET, Type.STRING));
    }

    @Test
    void aChangeOfAFieldAloneIsHeard() {
        Hashes hashes = new Hashes();
        begin();
        hashes.put(unit.space(3), KEY, List.of(Bytes.utf8("f"), Bytes.utf8("v")));
        commit();
        subscription.wantChanges(true);
        begin();
        hashes.put(unit.space(3), KEY, List.of(Bytes.utf8("f"), Bytes.utf8("w")));
        commit();
        assertThat(heard.get(0).changes())
                .containsExactly(new Change.Key(3, KEY, new KeyEvent(EventClass.HASH, "hset"), Type.HASH));
    }

    @Test
    void flushesAndSwapsAreToldAsSuch() {
        put(KEY);
        commit();
        subscription.wantChanges(true);
        begin();
        new Flushes().flush(unit.space(0));
        new Flushes().swap(unit.space(0), 1, 2);
        commit();
        assertThat(heard.get(0).changes()).containsExactly(new Change.Flushed(0), new Change.Swapped(1, 2));
    }

    @Test
    void aListenerThatFailsHarmsNobody() {
        KeyChanges.Subscription failing = keyspace.changes().subscribe(told -> {
            throw new IllegalStateException("on purpose");
        });
        failing.wantChanges(true);
        KeyChanges.Subscription last = keyspace.changes().subscribe(heard::add);
        last.wantChanges(true);
        put(KEY);
        commit();
        assertThat(keys(heard)).containsExactly(KEY);
    }

    @Test
    void anActionThatFailsAfterTheCommitHarmsNobody() {
        subscription.wantChanges(true);
        List<String> ran = new ArrayList<>();
        put(KEY);
        unit.changes().runAfterCommit(() -> {
            throw new IllegalStateException("on purpose");
        });
        unit.changes().runAfterCommit(() -> ran.add("later action"));
        put(OTHER);
        commit();
        assertThat(ran).containsExactly("later action");
        assertThat(keys(heard)).containsExactly(KEY, OTHER);
    }

    @Test
    void whoStoppedToWantOrLeftHearsNothing() {
        subscription.wantChanges(true);
        subscription.wantChanges(false);
        put(KEY);
        commit();
        subscription.wantChanges(true);
        subscription.close();
        put(KEY);
        commit();
        assertThat(heard).isEmpty();
        assertThat(keyspace.changes().wantsChanges()).isFalse();
    }

    /** Four workers count one key up; the listener hears the counts in order, though it takes no lock of its own. */
    @Test
    void theChangesOfAKeyComeInTheOrderOfTheirCommits() throws InterruptedException {
        List<Long> sizes = new ArrayList<>();
        Hashes hashes = new Hashes();
        UnitOfWork reader = keyspace.newUnit();
        keyspace.changes()
                .subscribe(told -> {
                    // Under the stripe of the key, so this sees the commit that is told of and none after it.
                    reader.begin(0, false);
                    sizes.add(hashes.size(reader.space(0), KEY));
                })
                .wantChanges(true);
        int stripe = new KeyStripes(keyspace.store().stripes()).of(KEY);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        CountDownLatch done = new CountDownLatch(4);
        for (int worker = 0; worker < 4; worker++) {
            int first = worker * 250;
            workers.execute(() -> {
                addFields(hashes, stripe, first);
                done.countDown();
            });
        }
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        workers.shutdown();
        assertThat(sizes).hasSize(1000).isSorted().doesNotHaveDuplicates();
    }

    private void addFields(Hashes hashes, int stripe, int first) {
        UnitOfWork work = keyspace.newUnit();
        for (int i = first; i < first + 250; i++) {
            keyspace.store().stripes().lock(stripe);
            try {
                work.begin(0, true);
                hashes.put(work.space(0), KEY, List.of(Bytes.utf8("f" + i), Bytes.EMPTY));
                work.commit();
            } finally {
                keyspace.store().stripes().unlock(stripe);
            }
        }
    }

    private void begin() {
        unit.begin(0, true);
    }

    private void put(Bytes key) {
        if (unit.isEmpty()) {
            begin();
        }
        unit.space(0).putString(key, key, Header.NEVER);
    }

    private void commit() {
        unit.commit();
    }

    private static List<Bytes> keys(List<ChangeListener.Unit> units) {
        return units.stream()
                .flatMap(each -> each.changes().stream())
                .map(change -> ((Change.Key) change).key())
                .toList();
    }
}
