package io.polytable.server.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Registers the keys of a family as they are declared, so that no declared key is forgotten. */
final class Declarations {
    private final List<Key<?>> keys = new ArrayList<>();

    <T> Key<T> add(Key<T> key) {
        keys.add(key);
        return key;
    }

    List<Key<?>> all() {
        return Collections.unmodifiableList(keys);
    }
}
