package io.polytable.entity.cassandra;

import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import java.util.HashMap;
import java.util.Map;

/**
 * Opens stores in Cassandra. All users of the same cluster with the same options share one session, which is closed
 * when the last of them closes it.
 */
public final class CassandraProvider implements StoreProvider {
    private static final Map<String, Shared> OPEN = new HashMap<>();

    private static final class Shared {
        private final CassandraStore store;
        private int users = 1;

        Shared(CassandraStore store) {
            this.store = store;
        }
    }

    @Override
    public StoreKind kind() {
        return StoreKind.CASSANDRA;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        String key = uri.ofStore().toOrderedString() + uri.options().getOrDefault("password", "");
        synchronized (OPEN) {
            Shared shared = OPEN.get(key);
            if (shared == null) {
                shared = new Shared(new CassandraStore(Cluster.connect(uri), uri.options()));
                OPEN.put(key, shared);
            } else {
                shared.users++;
            }
            return shared.store.handle(() -> release(key));
        }
    }

    private static void release(String key) {
        synchronized (OPEN) {
            Shared shared = OPEN.get(key);
            if (shared != null && --shared.users == 0) {
                OPEN.remove(key);
                shared.store.close();
            }
        }
    }
}
