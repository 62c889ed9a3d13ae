package io.polytable.redis.command.scripting;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.Libraries;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/** The words of EVAL, EVALSHA, FCALL and their read-only forms. */
// Shared errors are safe: they have no stack trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
public final class ScriptCalls {
    /** The first key behind the script and the number of keys. */
    public static final int FIRST_KEY = 3;

    private static final RedisError NOSCRIPT =
            new RedisError(RedisError.Code.NOSCRIPT, "No matching script. Please use EVAL.");
    private static final RedisError NO_FUNCTION = new RedisError("Function not found");
    private static final RedisError BAD_KEYS = new RedisError("Bad number of keys provided");
    private static final RedisError TOO_MANY_KEYS =
            new RedisError("Number of keys can't be greater than number of args");
    private static final RedisError NEGATIVE_KEYS = new RedisError("Number of keys can't be negative");

    private static final int SHA_LENGTH = 40;

    private ScriptCalls() {}

    private static boolean isFunction(Call call) {
        return call.command().name().startsWith("fcall");
    }

    private static boolean isBySha(Call call) {
        return call.command().name().startsWith("evalsha");
    }

    /** The number of keys of a call that was resolved. */
    public static int keyCount(Call call) {
        return (int) call.integer(2);
    }

    /**
     * What the call runs.
     *
     * @throws RedisError when the call is invalid, or it runs something unknown
     */
    public static Routine resolve(Scripts scripts, Libraries libraries, Call call) {
        if (isFunction(call)) {
            Routine function = scripts.functions().find(libraries, call.word(1).utf8());
            if (function == null) {
                throw NO_FUNCTION;
            }
            checkKeys(call, call.integer(2, BAD_KEYS));
            return function;
        }
        Routine script = isBySha(call) ? find(scripts, call.word(1)) : scripts.intern(call.word(1));
        checkKeys(call, call.integer(2));
        if (script == null) {
            throw NOSCRIPT;
        }
        return script;
    }

    private static void checkKeys(Call call, long keys) {
        if (keys > call.size() - FIRST_KEY) {
            throw TOO_MANY_KEYS;
        }
        if (keys < 0) {
            throw NEGATIVE_KEYS;
        }
    }

    /** What the call runs, if it is known already. */
    public static @Nullable Routine known(Scripts scripts, Libraries libraries, Call call) {
        if (isFunction(call)) {
            return scripts.functions().find(libraries, call.word(1).utf8());
        }
        return isBySha(call) ? find(scripts, call.word(1)) : scripts.known(call.word(1));
    }

    static @Nullable Script find(Scripts scripts, Bytes sha) {
        return sha.length() == SHA_LENGTH ? scripts.find(sha.utf8()) : null;
    }

    /** Forgets a script that does not compile. */
    public static void forget(Scripts scripts, Call call) {
        if (!isFunction(call)) {
            scripts.forget(call.word(1));
        }
    }

    public static RedisError doesNotCompile(LuaError invalid) {
        return new RedisError("Error compiling script (new function): " + invalid.text());
    }
}
