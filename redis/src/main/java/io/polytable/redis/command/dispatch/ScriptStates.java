package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.lua.LuaCode;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.LoadingHost;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The Lua state of one dispatcher, created on first use and replaced when a run spoiled it. */
final class ScriptStates {
    /** With this many compiled scripts, a new state begins with none. */
    private static final int LOADED_MAX = 1000;

    private final Node node;
    private final Set<Long> loaded = new HashSet<>();
    private @Nullable LuaState state;
    private int epoch;
    private long memoryBytes;

    ScriptStates(Node node) {
        this.node = node;
    }

    LuaState current() {
        LuaState ready = state;
        if (ready == null) {
            throw new IllegalStateException("no script is loaded");
        }
        return ready;
    }

    /**
     * Loads the code unless it is loaded.
     *
     * @throws LuaError when it does not compile
     */
    void load(LuaCode code) {
        if (epoch != node.scripts().epoch() || memoryBytes != node.settings().scriptBytesMax()) {
            drop();
        }
        LuaState ready = state;
        if (ready == null) {
            epoch = node.scripts().epoch();
            memoryBytes = node.settings().scriptBytesMax();
            ready = new LuaState(
                    Node.LUA.withMemory(memoryBytes), node.keyspace().memory().scripts());
            state = ready;
        }
        if (!loaded.contains(code.id())) {
            ready.load(code, new LoadingHost());
            loaded.add(code.id());
        }
    }

    /** After a run. */
    void tidy() {
        current().settle();
        if (current().isSpoiled() || loaded.size() > LOADED_MAX) {
            drop();
        }
    }

    private void drop() {
        LuaState old = state;
        state = null;
        loaded.clear();
        if (old != null) {
            old.close();
        }
    }
}
