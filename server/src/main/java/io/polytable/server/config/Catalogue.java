package io.polytable.server.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** All keys, found by any of their spellings. */
public final class Catalogue {
    private static final List<Key<?>> KEYS = Stream.of(
                    ServerKeys.all(),
                    StoreKeys.all(),
                    FlussKeys.all(),
                    ProjectionKeys.all(),
                    RedisKeys.all(),
                    SqlKeys.all(),
                    EntityKeys.all(),
                    HBaseKeys.all())
            .flatMap(Collection::stream)
            .toList();
    private static final Map<String, Key<?>> BY_NAME = index(UnaryOperator.identity());
    private static final Map<String, Key<?>> BY_VARIABLE = index(Key::environmentSpelling);

    private Catalogue() {}

    /** In the order of declaration, which is the display order. */
    public static List<Key<?>> keys() {
        return KEYS;
    }

    static Optional<Key<?>> byName(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Environment spellings, aliases included, with their keys. */
    static Map<String, Key<?>> byVariable() {
        return BY_VARIABLE;
    }

    static Optional<String> nearestName(String name) {
        return Spelling.nearest(name, BY_NAME.keySet());
    }

    static Optional<String> nearestVariable(String variable) {
        return Spelling.nearest(variable, BY_VARIABLE.keySet());
    }

    private static Map<String, Key<?>> index(UnaryOperator<String> spelling) {
        Map<String, Key<?>> index = new LinkedHashMap<>();
        for (Key<?> key : KEYS) {
            for (String name : key.names()) {
                Key<?> other = index.put(spelling.apply(name), key);
                if (other != null) {
                    throw new IllegalStateException(name + " is spelled like " + other.name());
                }
            }
        }
        return index;
    }
}
