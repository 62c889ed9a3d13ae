package io.polytable.entity.store;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores shared within this process. All users of a store share its layouts and connections; it is closed when the last
 * of them releases it. A store that is slow to open delays only users of the same store.
 */
public final class SharedStores {
    private static final class Shared {
        private @Nullable EntityStore store;
        private String options = "";
        private int users;
    }

    private final Map<String, Shared> open = new ConcurrentHashMap<>();

    /**
     * The store of this key, opened if it is not open yet.
     *
     * @param key identifies the store: location and options
     */
    public EntityStore open(String key, Supplier<? extends EntityStore> opening) {
        return open(key, "", true, opening);
    }

    /**
     * The store of this key, of which there can be only one.
     *
     * @param options how it is opened
     * @param isAny whether a store that is open with other options is acceptable; otherwise it is refused
     */
    public EntityStore open(String key, String options, boolean isAny, Supplier<? extends EntityStore> opening) {
        while (true) {
            Shared shared = open.computeIfAbsent(key, name -> new Shared());
            synchronized (shared) {
                // Another thread may have closed and removed it between the two lines above.
                if (open.get(key) == shared) {
                    if (shared.store == null) {
                        shared.options = options;
                    } else if (!isAny && !shared.options.equals(options)) {
                        throw new EntityException(
                                EntityError.BAD_URI,
                                "The store is open in this process with other options",
                                Map.of("store", key, "open", shared.options, "wanted", options));
                    }
                    return new StoreHandle(opened(key, shared, opening), () -> release(key, shared));
                }
            }
        }
    }

    private EntityStore opened(String key, Shared shared, Supplier<? extends EntityStore> opening) {
        EntityStore store = shared.store;
        if (store == null) {
            try {
                store = opening.get();
            } catch (RuntimeException e) {
                open.remove(key);
                throw e;
            }
            shared.store = store;
        }
        shared.users++;
        return store;
    }

    private void release(String key, Shared shared) {
        synchronized (shared) {
            EntityStore store = shared.store;
            if (--shared.users == 0 && store != null) {
                try {
                    store.close();
                } finally {
                    open.remove(key);
                }
            }
        }
    }
}
