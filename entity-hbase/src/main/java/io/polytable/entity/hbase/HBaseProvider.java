package io.polytable.entity.hbase;

import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.SharedStores;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;

/** Opens stores in HBase. All users of the same cluster with the same options share one connection. */
public final class HBaseProvider implements StoreProvider {
    private static final SharedStores OPEN = new SharedStores();

    @Override
    public StoreKind kind() {
        return StoreKind.HBASE;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        return OPEN.open(
                uri.ofStore().toOrderedString(), () -> new HBaseStore(HBaseCluster.connect(uri), uri.options()));
    }
}
