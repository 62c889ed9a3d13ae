package io.polytable.server.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Collects a family's keys as they are declared, so that a key cannot be declared and forgotten. */
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
