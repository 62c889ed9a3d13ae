package io.polytable.redis.command.scripting;

import io.polytable.redis.command.lua.LuaCode;
import java.util.Set;

/** What EVAL or FCALL runs, and what its runs have shown so far. */
public abstract sealed class Routine permits Script, Function {
    private volatile boolean needsEverything;
    private volatile boolean needsWorker;

    /** The number by which a loaded state knows it. */
    public abstract long id();

    /** What a state loads in order to run it. */
    public abstract LuaCode code();

    /** How errors name it. */
    public abstract String label();

    /** Empty for a script that declares none. */
    public abstract Set<ScriptFlag> flags();

    /** False for scripts without a first line of flags, to which the rules before Redis 7 apply. */
    public abstract boolean hasFlags();

    public abstract boolean isFunction();

    public final boolean has(ScriptFlag flag) {
        return flags().contains(flag);
    }

    /** Whether a run accessed keys that it did not declare. */
    public final boolean needsEverything() {
        return needsEverything;
    }

    public final void markNeedsEverything() {
        needsEverything = true;
    }

    /** Whether a run took long, or called something that does. */
    public final boolean needsWorker() {
        return needsWorker;
    }

    public final void markNeedsWorker() {
        needsWorker = true;
    }
}
