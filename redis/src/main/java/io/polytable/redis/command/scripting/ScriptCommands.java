package io.polytable.redis.command.scripting;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.MAY_REPLICATE;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.NO_MANDATORY_KEYS;
import static io.polytable.redis.command.Flag.READONLY;
import static io.polytable.redis.command.Flag.SKIP_MONITOR;
import static io.polytable.redis.command.Flag.STALE;
import static io.polytable.redis.command.Flag.WRITE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.command.lua.LuaLimits;
import io.polytable.redis.command.lua.LuaState;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** EVAL, SCRIPT, and FUNCTION without functions. */
public final class ScriptCommands implements CommandFamily {
    /** The first key behind the script and the number of keys. */
    public static final int FIRST_KEY = 3;

    // A shared error is safe: it has no stack trace.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final RedisError NOSCRIPT_FOUND =
            new RedisError(RedisError.Code.NOSCRIPT, "No matching script. Please use EVAL.");

    private static final int SHA_LENGTH = 40;
    private static final long COMPILER_BYTES = 64L << 20;

    private final Scripts scripts;

    public ScriptCommands(Scripts scripts) {
        this.scripts = scripts;
    }

    @Override
    public Group group() {
        return Group.SCRIPTING;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                evaluates("eval", false),
                evaluates("evalsha", false),
                evaluates("eval_ro", true),
                evaluates("evalsha_ro", true),
                container(
                        "script",
                        List.of(
                                speaks("load", exactly(3), this::load)
                                        .with(NOSCRIPT, STALE)
                                        .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                                speaks("exists", atLeast(3), this::exists)
                                        .with(NOSCRIPT)
                                        .tips("request_policy:all_shards", "response_policy:agg_logical_and"),
                                speaks("flush", atLeast(2), this::flush)
                                        .with(NOSCRIPT)
                                        .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
                                speaks("help", exactly(2), this::help).with(LOADING, STALE),
                                speaks("kill", exactly(2), this::kill)
                                        .with(NOSCRIPT, ALLOW_BUSY)
                                        .tips("request_policy:all_shards", "response_policy:one_succeeded"))),
                container(
                        "function",
                        List.of(
                                speaks("delete", exactly(3), this::delete)
                                        .with(WRITE, NOSCRIPT)
                                        .tips("request_policy:all_shards", "response_policy:all_succeeded"),
                                speaks("flush", atLeast(2), this::flush)
                                        .with(WRITE, NOSCRIPT)
                                        .tips("request_policy:all_shards", "response_policy:all_succeeded"),
                                speaks("help", exactly(2), this::help).with(LOADING, STALE),
                                speaks("kill", exactly(2), this::kill)
                                        .with(NOSCRIPT, ALLOW_BUSY)
                                        .tips("request_policy:all_shards", "response_policy:one_succeeded"),
                                speaks("list", atLeast(2), this::list)
                                        .with(NOSCRIPT)
                                        .tips("nondeterministic_output_order"),
                                speaks("stats", exactly(2), this::stats)
                                        .with(NOSCRIPT, ALLOW_BUSY)
                                        .tips(
                                                "nondeterministic_output",
                                                "request_policy:all_shards",
                                                "response_policy:special"))));
    }

    private static Command evaluates(String name, boolean reads) {
        KeySpecs keys = KeySpecs.counted(2);
        KeySpecs flagged =
                reads ? keys.as(KeyFlag.RO, KeyFlag.ACCESS) : keys.as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.UPDATE);
        // Redis has the note on the forms that carry a script.
        KeySpecs noted = name.equals("eval") || name.equals("eval_ro")
                ? flagged.note("We cannot tell how the keys will be used so we assume the worst, "
                        + (reads ? "RO and ACCESS" : "RW and UPDATE"))
                : flagged;
        Command command = speaks(name, atLeast(3), noted, call -> Reply.ABSENT)
                .with(NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS)
                .runningAScript();
        return reads ? command.with(READONLY) : command.with(MAY_REPLICATE);
    }

    /** The number of keys of an EVAL that was resolved. */
    public static int keyCount(Call call) {
        return (int) call.integer(2);
    }

    private static boolean isBySha(Call call) {
        return call.command().name().startsWith("evalsha");
    }

    /**
     * The script of an EVAL or EVALSHA.
     *
     * @throws RedisError when the call is invalid, or the script unknown
     */
    public static Script resolve(Scripts scripts, Call call) {
        Script script = isBySha(call) ? find(scripts, call.word(1)) : scripts.intern(call.word(1));
        long keys = call.integer(2);
        if (keys > call.size() - FIRST_KEY) {
            throw new RedisError("Number of keys can't be greater than number of args");
        }
        if (keys < 0) {
            throw new RedisError("Number of keys can't be negative");
        }
        if (script == null) {
            throw NOSCRIPT_FOUND;
        }
        return script;
    }

    /** The script of the call if it is cached. */
    public static @Nullable Script cached(Scripts scripts, Call call) {
        return isBySha(call) ? find(scripts, call.word(1)) : scripts.known(call.word(1));
    }

    private static @Nullable Script find(Scripts scripts, Bytes sha) {
        return sha.length() == SHA_LENGTH ? scripts.find(sha.utf8()) : null;
    }

    /** The script of the call does not compile. */
    public static void forget(Scripts scripts, Call call) {
        scripts.forget(call.word(1));
    }

    private Reply load(Call call) {
        Script script = scripts.intern(call.word(2));
        try (LuaState compiler = new LuaState(new LuaLimits(COMPILER_BYTES, 1000), "", 0)) {
            compiler.load(script.id(), script.text());
        } catch (LuaError invalid) {
            scripts.forget(call.word(2));
            throw new RedisError("Error compiling script (new function): " + invalid.text());
        }
        return Reply.of(script.sha());
    }

    private Reply exists(Call call) {
        List<Reply> known = new ArrayList<>();
        for (Bytes sha : call.wordsFrom(2)) {
            known.add(Reply.of(find(scripts, sha) != null));
        }
        return Reply.many(known);
    }

    private Reply flush(Call call) {
        boolean usual = call.size() == 2 || (call.size() == 3 && (call.is(2, "SYNC") || call.is(2, "ASYNC")));
        if (!usual) {
            boolean script = call.is(0, "SCRIPT");
            if (!script && call.size() > 3) {
                throw CommandErrors.subcommandSyntax(call);
            }
            throw new RedisError(
                    (script ? "SCRIPT FLUSH only support" : "FUNCTION FLUSH only supports") + " SYNC|ASYNC option");
        }
        if (call.is(0, "SCRIPT")) {
            scripts.flush();
        }
        return Reply.OK;
    }

    private Reply kill(Call call) {
        scripts.kill();
        return Reply.OK;
    }

    private Reply delete(Call call) {
        throw new RedisError("Library not found");
    }

    private Reply list(Call call) {
        boolean named = false;
        boolean withCode = false;
        int next = 2;
        while (next < call.size()) {
            if (!withCode && call.is(next, "WITHCODE")) {
                withCode = true;
                next++;
            } else if (!named && call.is(next, "LIBRARYNAME")) {
                if (next + 1 == call.size()) {
                    throw new RedisError("library name argument was not given");
                }
                named = true;
                next += 2;
            } else {
                throw new RedisError("Unknown argument " + call.text(next));
            }
        }
        return Reply.EMPTY;
    }

    private Reply stats(Call call) {
        Reply lua = Reply.mapOf(Reply.of("libraries_count"), Reply.ZERO, Reply.of("functions_count"), Reply.ZERO);
        return Reply.mapOf(
                Reply.of("running_script"), Reply.ABSENT, Reply.of("engines"), Reply.mapOf(Reply.of("LUA"), lua));
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
