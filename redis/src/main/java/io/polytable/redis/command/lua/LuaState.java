package io.polytable.redis.command.lua;

import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.JFunction;
import party.iroiro.luajava.Lua;
import party.iroiro.luajava.LuaException;
import party.iroiro.luajava.lua51.Lua51;
import party.iroiro.luajava.lua51.Lua51Natives;

/** A sandboxed Lua 5.1. Not thread safe, but not bound to a thread. */
public final class LuaState implements AutoCloseable {
    /** A string beyond this counts against the memory limit when it is built, not only at the next check. */
    private static final int SMALL_STRING_BYTES = 64 << 10;

    /** The recursion of the pattern matcher, in C, is as deep as a pattern is long. */
    private static final int PATTERN_BYTES_MAX = 2000;

    private static final int GSUB_DEPTH_MAX = 10;
    private static final int RESUME_DEPTH_MAX = 16;
    private static final int REPLY_DEPTH_MAX = 1000;

    /** Words that are passed as arguments; Lua's stack is limited. */
    private static final int WORDS_AT_ONCE_MAX = 200;

    private static final int GC_COLLECT = 2;
    private static final int GC_COUNT = 3;

    private static final List<String> LIBRARIES = List.of("bit.lua", "struct.lua", "cmsgpack.lua", "cjson.lua");

    private final LuaLimits limits;
    private final Lua lua;
    private final Lua51Natives natives;
    private final long main;
    private final LuaStack stack;
    private final LuaReplies replies;
    private final LuaRandom random = new LuaRandom();
    private final ConcatGuard guard = new ConcatGuard();
    private final int run;
    private final int load;
    private final int unload;
    private final int stash;
    private @Nullable LuaHost host;
    private @Nullable RuntimeException stopped;
    private @Nullable Error failed;
    private int protocol = 2;
    private boolean spoiled;
    private boolean closed;

    public LuaState(LuaLimits limits, String version, int versionNumber) {
        this.limits = limits;
        lua = new Lua51();
        natives = (Lua51Natives) lua.getLuaNatives();
        main = lua.getPointer();
        stack = new LuaStack(natives);
        replies = new LuaReplies(stack);
        lua.openLibraries();
        stack.load(main, resource("sandbox.lua"), "=redis");
        pushHost();
        pushLimits(version, versionNumber);
        call(2, 1);
        for (String library : LIBRARIES) {
            stack.load(main, resource(library), "=redis");
            natives.lua_pushvalue(main, 1);
            call(1, 0);
        }
        run = function("run");
        load = function("load");
        unload = function("unload");
        stash = function("stash");
        int finish = function("finish");
        push(finish);
        call(0, 0);
        natives.lua_settop(main, 0);
    }

    private static Bytes resource(String name) {
        try (InputStream in = Objects.requireNonNull(LuaState.class.getResourceAsStream(name), name)) {
            return Bytes.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps the function of the server table, which is the only value on the stack. */
    private int function(String name) {
        natives.lua_pushstring(main, name);
        natives.lua_rawget(main, 1);
        return natives.luaL_ref(main, natives.getRegistryIndex());
    }

    private void push(int function) {
        natives.lua_rawgeti(main, natives.getRegistryIndex(), function);
    }

    private void call(int arguments, int results) {
        if (natives.lua_pcall(main, arguments, results, 0) != 0) {
            throw new IllegalStateException("the sandbox failed: " + stack.text(main, -1));
        }
    }

    private void pushHost() {
        natives.lua_createtable(main, 0, 16);
        offer("call", this::onCall);
        offer("tick", this::onTick);
        offer("sha1hex", this::onSha1);
        offer("log", this::onLog);
        offer("know", this::onKnow);
        offer("random", this::onRandom);
        offer("seed", this::onSeed);
        offer("refine", this::onRefine);
        offer("setresp", this::onSetResp);
        offer("bits", this::onBits);
        offer("may_use_coroutines", this::onCoroutine);
        natives.lua_pushstring(main, "null");
        natives.lua_pushlightuserdata(main, 0);
        natives.lua_rawset(main, -3);
    }

    private void offer(String name, JFunction function) {
        natives.lua_pushstring(main, name);
        lua.push(function);
        natives.lua_rawset(main, -3);
    }

    private void pushLimits(String version, int versionNumber) {
        natives.lua_createtable(main, 0, 16);
        limit("string_bytes", (double) limits.stringBytes());
        limit("small_bytes", SMALL_STRING_BYTES);
        limit("pattern_bytes", PATTERN_BYTES_MAX);
        limit("gsub_depth", GSUB_DEPTH_MAX);
        limit("resume_depth", RESUME_DEPTH_MAX);
        limit("reply_depth", REPLY_DEPTH_MAX);
        limit("instructions", limits.instructions());
        limit("version_number", versionNumber);
        natives.lua_pushstring(main, "version");
        stack.push(main, version);
        natives.lua_rawset(main, -3);
    }

    private void limit(String name, double value) {
        natives.lua_pushstring(main, name);
        natives.lua_pushnumber(main, value);
        natives.lua_rawset(main, -3);
    }

    /**
     * Compiles a script and keeps it under the id.
     *
     * @throws LuaError when it does not compile
     */
    public void load(int id, Bytes script) {
        stopped = null;
        failed = null;
        push(load);
        natives.lua_pushnumber(main, id);
        stack.push(main, script);
        call(2, 1);
        boolean bad = natives.lua_type(main, -1) == LuaStack.STRING;
        String problem = bad ? stack.text(main, -1) : "";
        natives.lua_settop(main, 0);
        if (bad) {
            throw new LuaError(problem, "", "");
        }
    }

    public void unload(int id) {
        push(unload);
        natives.lua_pushnumber(main, id);
        call(1, 0);
        natives.lua_settop(main, 0);
    }

    /**
     * Runs a loaded script.
     *
     * @throws LuaError when the script raises an error
     * @throws StopScript when the host, or a limit, ended it
     */
    public Reply run(int id, List<Bytes> keys, List<Bytes> arguments, LuaHost server) {
        host = server;
        stopped = null;
        failed = null;
        protocol = 2;
        try {
            int passed = pushRun(id, keys, arguments);
            int status = natives.lua_pcall(main, passed, 4, 0);
            if (status == 0 && stopped instanceof StopScript script) {
                script.at(stack.text(main, 3), stack.text(main, 4));
            }
            spoiled |= status != 0;
            rethrow();
            if (status != 0) {
                throw new LuaError("ERR " + stack.text(main, -1), "", "");
            }
            return result();
        } finally {
            host = null;
            natives.lua_settop(main, 0);
        }
    }

    private int pushRun(int id, List<Bytes> keys, List<Bytes> arguments) {
        int words = keys.size() + arguments.size();
        if (words > WORDS_AT_ONCE_MAX) {
            stashAll(keys);
            stashAll(arguments);
        }
        push(run);
        natives.lua_pushnumber(main, id);
        natives.lua_pushnumber(main, keys.size());
        if (words > WORDS_AT_ONCE_MAX) {
            return 2;
        }
        keys.forEach(word -> stack.push(main, word));
        arguments.forEach(word -> stack.push(main, word));
        return 2 + words;
    }

    private void stashAll(List<Bytes> words) {
        for (int from = 0; from < words.size(); from += WORDS_AT_ONCE_MAX) {
            List<Bytes> some = words.subList(from, Math.min(words.size(), from + WORDS_AT_ONCE_MAX));
            push(stash);
            some.forEach(word -> stack.push(main, word));
            call(some.size(), 0);
        }
    }

    private void rethrow() {
        RuntimeException why = stopped;
        Error error = failed;
        spoiled |= error != null;
        if (error != null) {
            throw error;
        }
        if (why != null) {
            throw why;
        }
    }

    private Reply result() {
        boolean good = natives.lua_toboolean(main, 1) != 0;
        if (!good) {
            throw new LuaError(stack.text(main, 2), stack.text(main, 3), stack.text(main, 4));
        }
        spoiled |= natives.lua_toboolean(main, 3) == 0;
        return replies.read(main, 2, protocol == 3);
    }

    /** Whether a run left the state in a condition in which it must not be used again. */
    public boolean isSpoiled() {
        return spoiled;
    }

    // The functions that Lua code calls. They never throw: an exception becomes the value that makes the sandbox stop.

    private interface Work {
        int run(long state);
    }

    private int guarded(Lua thread, Work work) {
        long state = thread.getPointer();
        if (stopped == null && failed == null) {
            try {
                return work.run(state);
            } catch (RuntimeException why) {
                stopped = why;
            } catch (Error why) {
                failed = why;
            }
        }
        natives.lua_pushnil(state);
        natives.lua_pushboolean(state, 1);
        return 2;
    }

    private LuaHost host() {
        LuaHost current = host;
        if (current == null) {
            throw new StopScript("no script runs");
        }
        return current;
    }

    private int onCall(Lua thread) {
        return guarded(thread, state -> {
            Object words = words(state);
            if (words instanceof String problem) {
                natives.lua_pushnil(state);
                stack.push(state, problem);
                return 2;
            }
            Reply reply = host().call((Bytes[]) words, protocol);
            if (reply instanceof Reply.Failure failure) {
                natives.lua_pushnil(state);
                stack.push(state, failure.error().line());
                return 2;
            }
            replies.push(state, reply, protocol == 3);
            int kilobytes = natives.lua_gc(main, GC_COUNT, 0);
            if (kilobytes > limits.memoryBytes() / 1024) {
                tick(kilobytes);
            }
            return 1;
        });
    }

    /** The arguments as words, or the text of an error. */
    private Object words(long state) {
        int count = natives.lua_gettop(state);
        if (count == 0) {
            return "ERR Please specify at least one argument for this redis lib call";
        }
        Bytes[] words = new Bytes[count];
        for (int i = 0; i < count; i++) {
            int type = natives.lua_type(state, i + 1);
            if (type == LuaStack.STRING) {
                words[i] = stack.bytes(state, i + 1);
            } else if (type == LuaStack.NUMBER) {
                words[i] = Bytes.utf8(LuaNumbers.text(natives.lua_tonumber(state, i + 1)));
            } else {
                return "ERR Lua redis lib command arguments must be strings or integers";
            }
        }
        return words;
    }

    private int onTick(Lua thread) {
        long state = thread.getPointer();
        if (stopped == null && failed == null) {
            try {
                tick(natives.lua_tonumber(state, 1));
            } catch (RuntimeException why) {
                stopped = why;
            } catch (Error why) {
                failed = why;
            }
        }
        natives.lua_pushboolean(state, stopped != null || failed != null ? 1 : 0);
        return 1;
    }

    private void tick(double kilobytes) {
        if (kilobytes * 1024 > limits.memoryBytes()) {
            // Lua's collector runs when memory has doubled: much of it may be garbage.
            natives.lua_gc(main, GC_COLLECT, 0);
            if (natives.lua_gc(main, GC_COUNT, 0) * 1024.0 > limits.memoryBytes()) {
                throw new OutOfScriptMemory();
            }
        }
        host().tick();
    }

    private int onCoroutine(Lua thread) {
        long state = thread.getPointer();
        // A coroutine that calls the server stays registered in the library until its state is closed.
        spoiled = true;
        try {
            host().usesCoroutines();
        } catch (RuntimeException why) {
            stopped = why;
        }
        natives.lua_pushboolean(state, stopped != null ? 1 : 0);
        return 1;
    }

    private int onSha1(Lua thread) {
        return guarded(thread, state -> {
            stack.push(state, sha1(stack.bytes(state, 1)));
            return 1;
        });
    }

    /** In lower-case hexadecimal digits. */
    public static String sha1(Bytes text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            digest.update(text.array(), text.offset(), text.length());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private int onLog(Lua thread) {
        return guarded(thread, state -> {
            host().log((int) natives.lua_tonumber(state, 1), stack.text(state, 2));
            return 0;
        });
    }

    private int onKnow(Lua thread) {
        return guarded(thread, state -> {
            Object words = words(state);
            String problem = words instanceof String text ? text : host().unknown((Bytes[]) words);
            boolean allowed = problem == null && host().allows((Bytes[]) words);
            natives.lua_pushboolean(state, allowed ? 1 : 0);
            if (problem != null) {
                stack.push(state, problem);
                return 2;
            }
            return 1;
        });
    }

    private int onRandom(Lua thread) {
        natives.lua_pushnumber(thread.getPointer(), random.next());
        return 1;
    }

    private int onSeed(Lua thread) {
        random.seed((long) natives.lua_tonumber(thread.getPointer(), 1));
        return 0;
    }

    private int onSetResp(Lua thread) {
        protocol = natives.lua_tonumber(thread.getPointer(), 1) == 3 ? 3 : 2;
        return 0;
    }

    private int onBits(Lua thread) {
        return guarded(thread, state -> {
            String name = stack.text(state, 1);
            double left = natives.lua_tonumber(state, 2);
            double right = natives.lua_tonumber(state, 3);
            natives.lua_pushnumber(state, LuaBits.of(name, left, right));
            return 1;
        });
    }

    private int onRefine(Lua thread) {
        return guarded(thread, state -> {
            ByteBuffer code = (ByteBuffer) natives.luaJ_dumptobuffer(state);
            byte[] bytes = new byte[code.remaining()];
            code.get(bytes);
            byte[] refined = guard.refine(bytes);
            if (refined.length == 0) {
                natives.lua_pushnil(state);
                return 1;
            }
            try {
                stack.load(state, Bytes.of(refined), "=redis");
            } catch (LuaException bad) {
                natives.lua_pushnil(state);
            }
            return 1;
        });
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            lua.close();
        }
    }

    /** A script that needs more memory than it may have. */
    public static final class OutOfScriptMemory extends StopScript {
        private static final long serialVersionUID = 1L;

        OutOfScriptMemory() {
            super("the script needs more memory than script-memory-limit allows");
        }

        public RedisError error() {
            return new RedisError(RedisError.Code.OOM, String.valueOf(getMessage()));
        }
    }
}
