package io.polytable.entity.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A shared store is closed once, by the last of its users. */
class SharedStoresTest {
    private final SharedStores stores = new SharedStores();
    private final List<CountedStore> opened = new ArrayList<>();

    private EntityStore open(String key) {
        return stores.open(key, () -> {
            CountedStore store = new CountedStore();
            opened.add(store);
            return store;
        });
    }

    @Test
    void aHandleThatIsClosedTwiceReleasesOnce() {
        EntityStore mine = open("here");
        EntityStore theirs = open("here");
        mine.close();
        mine.close();
        assertThat(opened).extracting(store -> store.closed).containsExactly(0);
        assertThat(theirs.capabilities()).containsExactly(StoreCapability.SHARED);
        theirs.close();
        theirs.close();
        assertThat(opened).extracting(store -> store.closed).containsExactly(1);
    }

    /** Of a store that was closed and opened again, a handle from before must not close the new one. */
    @Test
    void aHandleOfAnEarlierStoreLeavesTheNextOneOpen() {
        EntityStore before = open("here");
        before.close();
        EntityStore after = open("here");
        before.close();
        assertThat(opened).extracting(store -> store.closed).containsExactly(1, 0);
        after.close();
        assertThat(opened).extracting(store -> store.closed).containsExactly(1, 1);
    }

    @Test
    void aClosedHandleIsRefusedThoughTheStoreIsOpen() {
        EntityStore mine = open("here");
        EntityStore theirs = open("here");
        mine.close();
        List<Runnable> calls = List.of(
                mine::capabilities,
                mine::instances,
                () -> mine.createInstance("a", Map.of()),
                () -> mine.dropInstance("a"),
                () -> mine.instance("a"));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.CLOSED));
        }
        theirs.close();
    }

    @Test
    void storesOfOtherKeysAreOthers() {
        EntityStore here = open("here");
        EntityStore there = open("there");
        here.close();
        assertThat(opened).extracting(store -> store.closed).containsExactly(1, 0);
        there.close();
    }

    /** Counts how often it is closed. */
    private static final class CountedStore implements EntityStore {
        private int closed;

        @Override
        public Set<StoreCapability> capabilities() {
            return EnumSet.of(StoreCapability.SHARED);
        }

        @Override
        public List<String> instances() {
            return List.of();
        }

        @Override
        public void createInstance(String name, Map<String, String> properties) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public void dropInstance(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public InstanceStore instance(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
