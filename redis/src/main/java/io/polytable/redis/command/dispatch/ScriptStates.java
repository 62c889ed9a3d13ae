package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaLimits;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.scripting.Script;
import io.polytable.redis.model.RedisError;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The Lua state of one dispatcher, created on first use and replaced when a run spoiled it. */
final class ScriptStates {
    /** After how many instructions a script's time and memory are checked. */
    private static final int INSTRUCTIONS = 10_000;

    /** With this many compiled scripts, a new state begins with none. */
    private static final int LOADED_MAX = 1000;

    private final Node node;
    private final Set<Integer> loaded = new HashSet<>();
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
     * Compiles the script unless it is.
     *
     * @throws RedisError when it does not compile
     */
    void load(Script script, Runnable whenInvalid) {
        if (epoch != node.scripts().epoch() || memoryBytes != node.settings().scriptBytesMax()) {
            drop();
        }
        LuaState ready = state;
        if (ready == null) {
            epoch = node.scripts().epoch();
            memoryBytes = node.settings().scriptBytesMax();
            ready = new LuaState(new LuaLimits(memoryBytes, INSTRUCTIONS), Node.VERSION, Node.VERSION_NUMBER);
            state = ready;
        }
        if (!loaded.contains(script.id())) {
            try {
                ready.load(script.id(), script.text());
            } catch (LuaError invalid) {
                whenInvalid.run();
                throw new RedisError("Error compiling script (new function): " + invalid.text());
            }
            loaded.add(script.id());
        }
    }

    /** After a run. */
    void tidy() {
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
