package io.polytable.entity;

import io.polytable.entity.meta.SystemTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.permit.GuardedStore;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Installs, lists and opens instances. The URI selects the store; store providers are found on the class path. */
public final class Entities {
    private Entities() {}

    public static void install(EntityUri uri) {
        install(uri, Map.of());
    }

    /**
     * Creates a new instance.
     *
     * @param properties stored in its system table; a store may use them, for example {@code replication}
     */
    public static void install(EntityUri uri, Map<String, String> properties) {
        try (EntityStore store = connect(uri)) {
            install(store, uri.instanceName(), properties);
        }
    }

    /** Creates a new instance in an open store. */
    public static void install(EntityStore store, String name, Map<String, String> properties) {
        store.createInstance(name, properties);
        InstanceStore instance = store.instance(name);
        SystemTable system = new SystemTable(instance.records());
        properties.forEach(system::put);
        system.put(SystemTable.DATA_VERSION, SystemTable.CURRENT_DATA_VERSION);
    }

    /** Drops the instance with all its tables. */
    public static void uninstall(EntityUri uri) {
        try (EntityStore store = connect(uri)) {
            store.dropInstance(uri.instanceName());
        }
    }

    /** The names of the instances in the URI's store. */
    public static List<String> instances(EntityUri uri) {
        try (EntityStore store = connect(uri)) {
            return store.instances();
        }
    }

    /** The URI's instance, or {@link EntityError#NO_SUCH_INSTANCE}. Close it. */
    public static Instance open(EntityUri uri) {
        EntityStore store = connect(uri);
        try {
            return Instance.open(uri, store);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** The URI's store, for tools that work on more than one instance. Close it. */
    public static EntityStore connect(EntityUri uri) {
        uri.checkOptions();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.kind() == uri.store()) {
                return guarded(uri, provider.open(uri));
            }
        }
        throw new EntityException(
                EntityError.BAD_URI,
                "No store of this kind is on the class path",
                Map.of("kind", uri.store(), "uri", uri.toString()));
    }

    /** Guards the store for the URI's user, if the store has no users of its own. */
    private static EntityStore guarded(EntityUri uri, EntityStore store) {
        String user = uri.options().get("user");
        try {
            return user == null || store.capabilities().contains(StoreCapability.PERMISSIONS)
                    ? store
                    : new GuardedStore(store, user);
        } catch (EntityException e) {
            store.close();
            throw e;
        }
    }
}
