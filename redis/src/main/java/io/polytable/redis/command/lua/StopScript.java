package io.polytable.redis.command.lua;

/** Ends a script; the script cannot catch it. It has no stack trace. */
public class StopScript extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private String place = "";

    public StopScript(String why) {
        super(why, null, false, false);
    }

    /** Where the script was, as {@code source:line}; empty if unknown. */
    public String place() {
        return place;
    }

    void at(String source, String line) {
        place = source.isEmpty() || line.isEmpty() ? "" : source + ":" + line;
    }
}
