package io.polytable.server.config;

import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;

import java.util.List;

/** The entity library's frontend on the HTTP port. */
public final class EntityKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> ENABLED =
            KEYS.add(key("entity.enabled", bool(), "true", "Whether entities are served on the HTTP port."));

    private EntityKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
