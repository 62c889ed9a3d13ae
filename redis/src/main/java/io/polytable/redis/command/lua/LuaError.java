package io.polytable.redis.command.lua;

/** A script that could not be compiled, or that raised an error; the text is as Redis answers it. */
public final class LuaError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final String line;

    LuaError(String text, String source, String line) {
        super(text, null, false, false);
        this.source = source;
        this.line = line;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /** Where it was raised, as {@code source:line}; empty if unknown. */
    public String place() {
        return source.isEmpty() || line.isEmpty() ? "" : source + ":" + line;
    }
}
