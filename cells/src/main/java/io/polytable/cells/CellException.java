package io.polytable.cells;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cell store refused a request or failed. The text is fixed, so that it can be searched; the facts are kept
 * separately.
 */
public final class CellException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final CellError error;
    private final transient Map<String, Object> facts;

    public CellException(CellError error, String text, Map<String, ?> facts, @Nullable Throwable cause) {
        super(facts.isEmpty() ? text : text + " " + new TreeMap<>(facts), cause);
        this.error = error;
        this.facts = Map.copyOf(facts);
    }

    public CellException(CellError error, String text, Map<String, ?> facts) {
        this(error, text, facts, null);
    }

    public CellException(CellError error, String text) {
        this(error, text, Map.of(), null);
    }

    public CellError error() {
        return error;
    }

    public Map<String, Object> facts() {
        return facts;
    }
}
