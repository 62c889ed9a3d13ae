package io.polytable.entity.remote;

import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.SharedStores;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;

/**
 * Opens stores of running servers. The URI's options are {@code password} (or the environment's {@code POLYTABLE_PASSWORD}),
 * {@code tls=true} and {@code timeout.millis}.
 */
public final class RemoteProvider implements StoreProvider {
    private static final SharedStores OPEN = new SharedStores();

    @Override
    public StoreKind kind() {
        return StoreKind.SERVER;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        String key = uri.ofStore().toOrderedString()
                + uri.options().getOrDefault("password", "")
                + uri.options().getOrDefault("token", "");
        return OPEN.open(key, () -> new RemoteStore(ServerConnection.connect(uri)));
    }
}
