package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Slowlog;
import io.polytable.redis.model.RedisError;
import java.util.List;

/** SLOWLOG: the commands that took longer than {@code slowlog-log-slower-than} microseconds. */
public final class SlowlogCommands implements CommandFamily {
    private static final long USUAL_COUNT = 10;

    private final Slowlog slowlog;

    public SlowlogCommands(Node node) {
        this.slowlog = node.slowlog();
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "slowlog",
                List.of(
                        speaks("get", atLeast(2), this::get)
                                .with(ADMIN, LOADING, STALE)
                                .tips("request_policy:all_nodes", "nondeterministic_output"),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("len", exactly(2), call -> Reply.of(slowlog.size()))
                                .with(ADMIN, LOADING, STALE)
                                .tips("request_policy:all_nodes", "response_policy:agg_sum", "nondeterministic_output"),
                        speaks("reset", exactly(2), this::reset)
                                .with(ADMIN, LOADING, STALE)
                                .tips("request_policy:all_nodes", "response_policy:all_succeeded"))));
    }

    private Reply get(Call call) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        long count = call.size() == 2 ? USUAL_COUNT : call.integerOr(2, -2);
        if (count < -1) {
            throw new RedisError("count should be greater than or equal to -1");
        }
        return Reply.many(slowlog.newest(count == -1 ? Long.MAX_VALUE : count).stream()
                .map(SlowlogCommands::entry)
                .toList());
    }

    private static Reply entry(Slowlog.Entry entry) {
        return Reply.many(
                Reply.of(entry.id()),
                Reply.of(entry.atSeconds()),
                Reply.of(entry.micros()),
                Reply.bulks(entry.words()),
                Reply.of(entry.address()),
                Reply.of(entry.name()));
    }

    private Reply reset(Call call) {
        slowlog.reset();
        return Reply.OK;
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
