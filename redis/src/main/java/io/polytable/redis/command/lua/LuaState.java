package io.polytable.redis.command.lua;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.JFunction;
import party.iroiro.luajava.Lua;
import party.iroiro.luajava.LuaException;
import party.iroiro.luajava.lua51.Lua51;
import party.iroiro.luajava.lua51.Lua51Natives;

/** A sandboxed Lua 5.1. Not thread safe, but not bound to a thread. */
public final class LuaState implements AutoCloseable {
    /** A string beyond this counts against the memory limit when it is built, not only at the next check. */
    private static final int SMALL_STRING_BYTES = 8 << 10;

    /** A state's memory is charged in steps of this size, the first when it is made. */
    private static final long CHARGED_BYTES_STEP = 1 << 20;

    /** The recursion of the pattern matcher, in C, is as deep as a pattern is long. */
    private static final int PATTERN_BYTES_MAX = 2000;

    private static final int GSUB_DEPTH_MAX = 10;
    private static final int RESUME_DEPTH_MAX = 16;
    private static final int REPLY_DEPTH_MAX = 1000;

    /** Words that are passed as arguments; Lua's stack is limited. */
    private static final int WORDS_AT_ONCE_MAX = 200;

    /** The command names that calls can pass as numbers, and the bytes of each. */
    private static final int NAMES_MAX = 200;

    private static final int NAME_BYTES_MAX = 64;

    /** A reply up to here is kept for a script that returns it. */
    private static final int KEPT_REPLY_BYTES_MAX = 4096;

    // How a run ended, as in sandbox.lua.
    private static final int RAISED = 0;
    private static final int LAST = 2;
    private static final int STATUS_OK = 3;

    private static final int GC_COLLECT = 2;
    private static final int GC_COUNT = 3;

    private static final List<String> LIBRARIES = List.of("bit.lua", "struct.lua", "cmsgpack.lua", "cjson.lua");

    private final LuaLimits limits;
    private final Budget memory;
    private final Lua lua;
    private final Lua51Natives natives;
    private final long main;
    private final LuaStack stack;
    private final LuaReplies replies;
    private final LuaRandom random = new LuaRandom();
    private final ConcatGuard guard = new ConcatGuard();
    private final int run;
    private final int load;
    private final int loadLibrary;
    private final int stash;
    private final Bytes[] names = new Bytes[NAMES_MAX + 1];
    private List<Bytes> runKeys = List.of();
    private List<Bytes> runArguments = List.of();

    /** What the last call returned, if it was a string. */
    private @Nullable Bytes lastReply;

    private @Nullable LuaHost host;
    private @Nullable RuntimeException stopped;
    private @Nullable Error failed;
    private int protocol = 2;
    private boolean spoiled;
    private boolean closed;
    private long chargedBytes = CHARGED_BYTES_STEP;
    private long settledBytes;

    /** @param memory where the state's values are charged, in steps */
    public LuaState(LuaLimits limits, Budget memory) {
        this.limits = limits;
        this.memory = memory;
        // Beyond the budget if need be: an empty state must exist to refuse anything.
        memory.take(chargedBytes);
        lua = new Lua51();
        natives = (Lua51Natives) lua.getLuaNatives();
        main = lua.getPointer();
        stack = new LuaStack(natives);
        replies = new LuaReplies(stack);
        lua.openLibraries();
        stack.load(main, resource("sandbox.lua"), "=redis");
        pushHost();
        pushLimits();
        call(2, 1);
        for (String library : LIBRARIES) {
            stack.load(main, resource(library), "=redis");
            natives.lua_pushvalue(main, 1);
            call(1, 0);
        }
        run = function("run");
        load = function("load");
        loadLibrary = function("load_library");
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
        offer("quick_call", this::onQuickCall);
        offer("learn", this::onLearn);
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

    private void pushLimits() {
        natives.lua_createtable(main, 0, 16);
        limit("string_bytes", (double) limits.stringBytes());
        limit("small_bytes", SMALL_STRING_BYTES);
        limit("pattern_bytes", PATTERN_BYTES_MAX);
        limit("gsub_depth", GSUB_DEPTH_MAX);
        limit("resume_depth", RESUME_DEPTH_MAX);
        limit("reply_depth", REPLY_DEPTH_MAX);
        limit("instructions", limits.instructions());
        limit("functions", LuaCode.NUMBERS - 1);
        limit("names", NAMES_MAX);
        limit("name_bytes", NAME_BYTES_MAX);
        limit("version_number", limits.versionNumber());
        natives.lua_pushstring(main, "version");
        stack.push(main, limits.version());
        natives.lua_rawset(main, -3);
    }

    private void limit(String name, double value) {
        natives.lua_pushstring(main, name);
        natives.lua_pushnumber(main, value);
        natives.lua_rawset(main, -3);
    }

    /**
     * Compiles code and keeps it under its number.
     *
     * @return what a library registered
     * @throws LuaError when it does not compile, or a library raises an error
     * @throws StopScript when the host, or a limit, ended the loading of a library
     */
    public List<LuaFunction> load(LuaCode code, LuaHost server) {
        host = server;
        stopped = null;
        failed = null;
        try {
            push(code.isLibrary() ? loadLibrary : load);
            natives.lua_pushnumber(main, (double) code.id());
            stack.push(main, code.text());
            call(2, 1);
            rethrow();
            if (natives.lua_type(main, -1) == LuaStack.STRING) {
                throw new LuaError(stack.text(main, -1), "", "");
            }
            return code.isLibrary() ? registered(replies.read(main, 1, false)) : List.of();
        } finally {
            host = null;
            natives.lua_settop(main, 0);
        }
    }

    private static List<LuaFunction> registered(Reply shown) {
        List<LuaFunction> functions = new ArrayList<>();
        for (Reply each : items(shown)) {
            List<? extends Reply> parts = items(each);
            Optional<String> description =
                    parts.get(1) instanceof Reply.Bulk text ? Optional.of(latin1(text)) : Optional.empty();
            List<String> flags = new ArrayList<>();
            items(parts.get(2)).forEach(flag -> flags.add(latin1(flag)));
            functions.add(new LuaFunction(latin1(parts.get(0)), description, flags));
        }
        return functions;
    }

    private static List<? extends Reply> items(Reply reply) {
        return reply instanceof Reply.Many many ? many.items() : List.of();
    }

    private static String latin1(Reply reply) {
        Bytes text = ((Reply.Bulk) reply).value();
        return new String(text.array(), text.offset(), text.length(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Runs a loaded script.
     *
     * @throws LuaError when the script raises an error
     * @throws StopScript when the host, or a limit, ended it
     */
    public Reply run(long id, List<Bytes> keys, List<Bytes> arguments, LuaHost server) {
        host = server;
        stopped = null;
        failed = null;
        protocol = 2;
        runKeys = keys;
        runArguments = arguments;
        lastReply = null;
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
            runKeys = List.of();
            runArguments = List.of();
            lastReply = null;
            natives.lua_settop(main, 0);
        }
    }

    private int pushRun(long id, List<Bytes> keys, List<Bytes> arguments) {
        int words = keys.size() + arguments.size();
        if (words > WORDS_AT_ONCE_MAX) {
            stashAll(keys);
            stashAll(arguments);
        }
        push(run);
        natives.lua_pushnumber(main, (double) id);
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
        int ending = (int) natives.lua_tonumber(main, 1);
        spoiled |= ending < 0;
        Bytes last = lastReply;
        return switch (Math.abs(ending)) {
            case RAISED -> throw new LuaError(stack.text(main, 2), stack.text(main, 3), stack.text(main, 4));
            case STATUS_OK -> Reply.OK;
            default -> Math.abs(ending) == LAST && last != null ? Reply.of(last) : replies.read(main, 2, protocol == 3);
        };
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
            return answer(state, (Bytes[]) words);
        });
    }

    /** As {@link #onCall} for words that the server has: the number of a name, and which words of the run. */
    private int onQuickCall(Lua thread) {
        return guarded(thread, state -> {
            int code = (int) natives.lua_tonumber(state, 1);
            Bytes name = names[code >> 4];
            Bytes first = runWord(code & 3);
            int second = code >> 2 & 3;
            return answer(state, second == 0 ? new Bytes[] {name, first} : new Bytes[] {name, first, runWord(second)});
        });
    }

    private Bytes runWord(int number) {
        int keys = runKeys.size();
        return number <= keys ? runKeys.get(number - 1) : runArguments.get(number - 1 - keys);
    }

    private int onLearn(Lua thread) {
        return guarded(thread, state -> {
            names[(int) natives.lua_tonumber(state, 1)] = stack.bytes(state, 2);
            return 0;
        });
    }

    private int answer(long state, Bytes[] words) {
        lastReply = null;
        Reply reply = host().call(words, protocol);
        int results = push(state, reply);
        int kilobytes = natives.lua_gc(main, GC_COUNT, 0);
        if (kilobytes > chargedBytes / 1024) {
            checkMemory(kilobytes);
        }
        return results;
    }

    private int push(long state, Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            natives.lua_pushnil(state);
            stack.push(state, failure.error().line());
            return 2;
        }
        if (reply.equals(Reply.OK)) {
            natives.lua_pushnil(state);
            natives.lua_pushboolean(state, 0);
            return 2;
        }
        replies.push(state, reply, protocol == 3);
        if (reply instanceof Reply.Bulk bulk && bulk.value().length() <= KEPT_REPLY_BYTES_MAX) {
            // Copied: what the value is a part of may change before the reply is sent.
            lastReply = bulk.value().copy();
        }
        return 1;
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
                checkMemory(natives.lua_tonumber(state, 1));
                if (natives.lua_toboolean(state, 2) == 0) {
                    host().tick();
                }
            } catch (RuntimeException why) {
                stopped = why;
            } catch (Error why) {
                failed = why;
            }
        }
        natives.lua_pushboolean(state, stopped != null || failed != null ? 1 : 0);
        return 1;
    }

    private void checkMemory(double kilobytes) {
        long bytes = (long) (kilobytes * 1024);
        if (bytes > limits.memoryBytes() || !charge(bytes)) {
            // Lua's collector runs when memory has doubled: much of it may be garbage.
            bytes = collect();
            if (bytes > limits.memoryBytes()) {
                throw new OutOfScriptMemory("the script needs more memory than script-memory-limit allows");
            }
            if (!charge(bytes)) {
                throw new OutOfScriptMemory("all scripts together need more memory than the server has for them");
            }
        }
    }

    /** Collects garbage; returns what is left. */
    private long collect() {
        natives.lua_gc(main, GC_COLLECT, 0);
        return bytes();
    }

    private long bytes() {
        return natives.lua_gc(main, GC_COUNT, 0) * 1024L;
    }

    /** False when the budget does not have so much. */
    private boolean charge(long bytes) {
        long wanted = steps(bytes);
        if (wanted > chargedBytes) {
            if (!memory.tryTake(wanted - chargedBytes)) {
                return false;
            }
            chargedBytes = wanted;
        }
        return true;
    }

    private static long steps(long bytes) {
        return (bytes / CHARGED_BYTES_STEP + 1) * CHARGED_BYTES_STEP;
    }

    /** After a run: gives back memory that only the run needed. */
    public void settle() {
        long bytes = bytes();
        if (bytes > Math.max(CHARGED_BYTES_STEP, 2 * settledBytes)) {
            bytes = collect();
            settledBytes = bytes;
        }
        long now = steps(bytes);
        if (now != chargedBytes) {
            memory.release(chargedBytes - now);
            chargedBytes = now;
        }
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
            memory.release(chargedBytes);
        }
    }

    /** A script that needs more memory than it may have. */
    public static final class OutOfScriptMemory extends StopScript {
        private static final long serialVersionUID = 1L;

        OutOfScriptMemory(String why) {
            super(why);
        }

        public RedisError error() {
            return new RedisError(RedisError.Code.OOM, String.valueOf(getMessage()));
        }
    }
}
