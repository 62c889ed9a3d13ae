package io.polytable.entity.store;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One user's handle of a shared store. */
final class StoreHandle implements EntityStore {
    private final EntityStore store;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    StoreHandle(EntityStore store, Runnable release) {
        this.store = store;
        this.release = release;
    }

    private EntityStore open() {
        if (closed.get()) {
            throw new EntityException(EntityError.CLOSED, "The store is closed");
        }
        return store;
    }

    @Override
    public Set<StoreCapability> capabilities() {
        return open().capabilities();
    }

    @Override
    public List<String> instances() {
        return open().instances();
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        open().createInstance(name, properties);
    }

    @Override
    public void dropInstance(String name) {
        open().dropInstance(name);
    }

    @Override
    public InstanceStore instance(String name) {
        return open().instance(name);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
