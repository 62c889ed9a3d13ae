package io.polytable.entity.model;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A failure of the entity library. The text is fixed; the details are separate facts. */
public final class EntityException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final EntityError error;
    private final transient Map<String, Object> facts;

    public EntityException(EntityError error, String text, Map<String, ?> facts, @Nullable Throwable cause) {
        super(facts.isEmpty() ? text : text + " " + new TreeMap<>(facts), cause);
        this.error = error;
        this.facts = Map.copyOf(facts);
    }

    public EntityException(EntityError error, String text, Map<String, ?> facts) {
        this(error, text, facts, null);
    }

    public EntityException(EntityError error, String text) {
        this(error, text, Map.of(), null);
    }

    public EntityError error() {
        return error;
    }

    public Map<String, Object> facts() {
        return facts == null ? Map.of() : facts;
    }
}
