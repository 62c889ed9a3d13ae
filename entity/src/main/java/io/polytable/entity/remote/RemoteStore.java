package io.polytable.entity.remote;

import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.codec.BytesReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The instances of a server. */
final class RemoteStore implements EntityStore {
    private final ServerConnection server;
    private final Map<String, RemoteInstance> open = new ConcurrentHashMap<>();

    RemoteStore(ServerConnection server) {
        this.server = server;
    }

    /** A scan is paged, and each page has a snapshot of its own. */
    @Override
    public Set<StoreCapability> capabilities() {
        Set<StoreCapability> known = EnumSet.of(
                StoreCapability.ORDERED_SCANS,
                StoreCapability.ATOMIC_ROWS,
                StoreCapability.DELETES_MASK_LATER_PUTS,
                StoreCapability.SHARED);
        if (server.user().isPresent()) {
            known.add(StoreCapability.PERMISSIONS);
        }
        return known;
    }

    @Override
    public List<String> instances() {
        BytesReader in = server.call(StoreCall.INSTANCES, words -> {});
        int count = in.count();
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(in.text());
        }
        return names;
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        server.call(StoreCall.CREATE_INSTANCE, words -> {
            words.text(name).varint(properties.size());
            properties.forEach((key, value) -> words.text(key).text(value));
        });
    }

    @Override
    public void dropInstance(String name) {
        server.call(StoreCall.DROP_INSTANCE, words -> words.text(name));
        open.remove(name);
    }

    @Override
    public InstanceStore instance(String name) {
        server.call(StoreCall.FIND_INSTANCE, words -> words.text(name));
        return open.computeIfAbsent(name, key -> new RemoteInstance(server, key));
    }

    /** Idle connections close by themselves. */
    @Override
    public void close() {}
}
