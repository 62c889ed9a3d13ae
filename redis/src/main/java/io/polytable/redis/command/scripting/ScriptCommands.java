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

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.lua.LuaError;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** EVAL and SCRIPT. The dispatcher runs what EVAL calls. */
public final class ScriptCommands implements CommandFamily {
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
                                speaks("debug", exactly(3), this::debug).with(NOSCRIPT),
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
                                        .tips("request_policy:all_shards", "response_policy:one_succeeded"))));
    }

    private static Command evaluates(String name, boolean reads) {
        return runs(name, reads, name.equals("eval") || name.equals("eval_ro"));
    }

    /** @param noted whether Redis notes that the use of the keys is unknown */
    static Command runs(String name, boolean reads, boolean noted) {
        KeySpecs keys = KeySpecs.counted(2);
        KeySpecs flagged =
                reads ? keys.as(KeyFlag.RO, KeyFlag.ACCESS) : keys.as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.UPDATE);
        KeySpecs described = noted
                ? flagged.note("We cannot tell how the keys will be used so we assume the worst, "
                        + (reads ? "RO and ACCESS" : "RW and UPDATE"))
                : flagged;
        Command command = speaks(name, atLeast(3), described, call -> Reply.ABSENT)
                .with(NOSCRIPT, STALE, SKIP_MONITOR, NO_MANDATORY_KEYS)
                .runningAScript();
        return reads ? command.with(READONLY) : command.with(MAY_REPLICATE);
    }

    /** There is no debugger to switch on. */
    private Reply debug(Call call) {
        if (call.is(2, "NO")) {
            return Reply.OK;
        }
        if (call.is(2, "YES") || call.is(2, "SYNC")) {
            throw new RedisError("The debugger of scripts is not supported by this server");
        }
        throw new RedisError("Use SCRIPT DEBUG YES/SYNC/NO");
    }

    private Reply load(Call call) {
        Script script = scripts.intern(call.word(2));
        try {
            scripts.functions().check(script.code());
        } catch (LuaError invalid) {
            scripts.forget(call.word(2));
            throw ScriptCalls.doesNotCompile(invalid);
        }
        return Reply.of(script.sha());
    }

    private Reply exists(Call call) {
        List<Reply> known = new ArrayList<>();
        for (Bytes sha : call.wordsFrom(2)) {
            known.add(Reply.of(ScriptCalls.find(scripts, sha) != null));
        }
        return Reply.many(known);
    }

    private Reply flush(Call call) {
        if (!isFlush(call)) {
            throw new RedisError("SCRIPT FLUSH only support SYNC|ASYNC option");
        }
        scripts.flush();
        return Reply.OK;
    }

    /** Whether the words are those of SCRIPT FLUSH or FUNCTION FLUSH. */
    static boolean isFlush(Call call) {
        return call.size() == 2 || (call.size() == 3 && (call.is(2, "SYNC") || call.is(2, "ASYNC")));
    }

    private Reply kill(Call call) {
        scripts.kill(false);
        return Reply.OK;
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
