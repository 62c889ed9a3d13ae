package io.polytable.table;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the environment of a store, or a call that it refuses. The text is fixed; the details are separate
 * facts.
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StoreError error;
    private final transient Map<String, Object> facts;

    public StoreException(StoreError error, String text, Map<String, ?> facts, @Nullable Throwable cause) {
        super(facts.isEmpty() ? text : text + " " + new TreeMap<>(facts), cause);
        this.error = error;
        this.facts = Map.copyOf(facts);
    }

    public StoreException(StoreError error, String text, Map<String, ?> facts) {
        this(error, text, facts, null);
    }

    public StoreException(StoreError error, String text) {
        this(error, text, Map.of(), null);
    }

    public StoreError error() {
        return error;
    }

    public Map<String, Object> facts() {
        return facts;
    }
}
