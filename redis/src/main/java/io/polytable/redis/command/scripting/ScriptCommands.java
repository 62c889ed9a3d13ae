package io.polytable.redis.command.scripting;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;
import static io.polytable.redis.command.Flag.WRITE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.RedisError;
import java.util.Collections;
import java.util.List;

/** SCRIPT and FUNCTION without scripts and functions. */
public final class ScriptCommands implements CommandFamily {
    @Override
    public Group group() {
        return Group.SCRIPTING;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                container(
                        "script",
                        List.of(
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

    private Reply exists(Call call) {
        return Reply.many(Collections.nCopies(call.size() - 2, Reply.ZERO));
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
        return Reply.OK;
    }

    private Reply kill(Call call) {
        throw new RedisError(RedisError.Code.NOTBUSY, "No scripts in execution right now.");
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
