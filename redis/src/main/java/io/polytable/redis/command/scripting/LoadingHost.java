package io.polytable.redis.command.scripting;

import io.polytable.redis.command.Reply;
import io.polytable.redis.command.lua.LuaHost;
import io.polytable.redis.command.lua.StopScript;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a library may do while it loads: register functions, and log, for a limited time. */
public final class LoadingHost implements LuaHost {
    private static final Logger LOG = LoggerFactory.getLogger("io.polytable.redis.script");

    private static final long LOAD_NANOS_MAX = 500_000_000;

    private final long startNanos = System.nanoTime();

    @Override
    public Reply call(Bytes[] words, int protocol) {
        throw new StopScript("no script runs");
    }

    @Override
    public void tick() {
        if (System.nanoTime() - startNanos > LOAD_NANOS_MAX) {
            throw new StopScript("FUNCTION LOAD timeout");
        }
    }

    @Override
    public void usesCoroutines() {}

    @Override
    public void log(int level, String text) {
        LOG.info("{}", text);
    }

    @Override
    public @Nullable String unknown(Bytes[] words) {
        return null;
    }

    /** A library that loads cannot call commands. */
    @Override
    public boolean allows(Bytes[] words) {
        return false;
    }
}
