package io.polytable.redis.command.lua;

/** Ends a script; the script cannot catch it. It has no stack trace. */
public class StopScript extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StopScript(String why) {
        super(why, null, false, false);
    }
}
