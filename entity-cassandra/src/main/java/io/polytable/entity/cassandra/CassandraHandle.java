package io.polytable.entity.cassandra;

import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreCapability;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One user's handle of a store: closing it releases the shared session. */
record CassandraHandle(CassandraStore store, Runnable release) implements EntityStore {
    @Override
    public Set<StoreCapability> capabilities() {
        return store.capabilities();
    }

    @Override
    public List<String> instances() {
        return store.instances();
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        store.createInstance(name, properties);
    }

    @Override
    public void dropInstance(String name) {
        store.dropInstance(name);
    }

    @Override
    public InstanceStore instance(String name) {
        return store.instance(name);
    }

    @Override
    public void close() {
        release.run();
    }
}
