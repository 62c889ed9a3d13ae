package io.polytable.sql.command;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A switch over the records of a sealed interface, which must have a case for each; Java 17 has none.
 *
 * @param <S> the sealed interface
 * @param <C> what each case gets besides the value
 */
final class Cases<S, C, R> {
    private final Class<S> sealed;
    private final Map<Class<?>, BiFunction<? super S, C, R>> cases = new HashMap<>();

    Cases(Class<S> sealed) {
        this.sealed = sealed;
    }

    /** The case of a record, or of all records of an interface. */
    <T extends S> Cases<S, C, R> on(Class<T> type, BiFunction<? super T, C, R> then) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted == null) {
            cases.put(type, (value, context) -> then.apply(type.cast(value), context));
            return this;
        }
        for (Class<?> each : permitted) {
            var unused = on(each.asSubclass(type), then);
        }
        return this;
    }

    /** @throws IllegalStateException if a record has no case */
    Cases<S, C, R> complete() {
        requireAll(sealed);
        return this;
    }

    private void requireAll(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted == null) {
            if (!cases.containsKey(type)) {
                throw new IllegalStateException("There is no case for " + type);
            }
            return;
        }
        for (Class<?> each : permitted) {
            requireAll(each);
        }
    }

    R of(S value, C context) {
        BiFunction<? super S, C, R> found = cases.get(value.getClass());
        if (found == null) {
            throw new IllegalStateException("There is no case for " + value.getClass());
        }
        return found.apply(value, context);
    }
}
