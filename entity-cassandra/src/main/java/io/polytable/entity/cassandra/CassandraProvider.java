package io.polytable.entity.cassandra;

import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.SharedStores;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;

/**
 * Opens stores in Cassandra. All users of the same cluster with the same options share one session, which is closed
 * when the last of them closes it.
 */
public final class CassandraProvider implements StoreProvider {
    private static final SharedStores OPEN = new SharedStores();

    @Override
    public StoreKind kind() {
        return StoreKind.CASSANDRA;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        String key = uri.ofStore().toOrderedString() + uri.options().getOrDefault("password", "");
        return OPEN.open(key, () -> new CassandraStore(Cluster.connect(uri), uri.options()));
    }
}
