package io.polytable.redis.command.stream;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Command.writes;
import static io.polytable.redis.command.Flag.DENYOOM;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;
import static io.polytable.redis.command.KeyFlag.DELETE;
import static io.polytable.redis.command.KeyFlag.INSERT;
import static io.polytable.redis.command.KeyFlag.RW;
import static io.polytable.redis.command.KeyFlag.UPDATE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.entry.StreamId;
import java.util.List;
import java.util.Optional;

/** XGROUP and its subcommands. */
public final class GroupCommands implements CommandFamily {
    private static final KeySpecs KEY = KeySpecs.range(2, 2, 1);
    private static final int CREATE_WORDS_MAX = 8;
    private static final int OPTIONS_AT = 5;

    private final Groups groups;

    public GroupCommands(Groups groups) {
        this.groups = groups;
    }

    @Override
    public Group group() {
        return Group.STREAM;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "xgroup",
                List.of(
                        writes("create", atLeast(5), KEY.as(RW, INSERT), this::create)
                                .with(DENYOOM),
                        writes("createconsumer", exactly(5), KEY.as(RW, INSERT), this::createConsumer)
                                .with(DENYOOM),
                        writes("delconsumer", exactly(5), KEY.as(RW, DELETE), this::deleteConsumer),
                        writes("destroy", exactly(4), KEY.as(RW, DELETE), this::destroy),
                        speaks("help", exactly(2), call -> HelpText.of(call)).with(LOADING, STALE),
                        writes("setid", atLeast(5), KEY.as(RW, UPDATE), this::setId))));
    }

    private record Options(boolean makeStream, long read) {}

    private static Options options(Call call, boolean creates) {
        boolean makeStream = false;
        long read = io.polytable.redis.model.stream.Group.UNKNOWN;
        for (int i = OPTIONS_AT; i < call.size(); i++) {
            if (creates && call.is(i, "mkstream")) {
                makeStream = true;
            } else if (call.is(i, "entriesread") && i + 1 < call.size()) {
                read = call.integer(++i);
                if (read < io.polytable.redis.model.stream.Group.UNKNOWN) {
                    throw new RedisError("value for ENTRIESREAD must be positive or -1");
                }
            } else {
                throw CommandErrors.subcommandSyntax(call);
            }
        }
        return new Options(makeStream, read);
    }

    private Reply create(Call call) {
        Options options = options(call, true);
        if (options.makeStream) {
            groups.checkType(call.space(), call.key(2));
        } else {
            groups.check(call.space(), call.key(2), call.word(3), false);
        }
        if (call.size() > CREATE_WORDS_MAX) {
            throw CommandErrors.subcommandSyntax(call);
        }
        Optional<StreamId> start = call.text(4).equals("$") ? Optional.empty() : Optional.of(StreamIds.one(call, 4));
        groups.create(
                call.space(), call.key(2), call.word(3), new Groups.Start(start, options.read), options.makeStream);
        return Reply.OK;
    }

    private Reply setId(Call call) {
        Options options = options(call, false);
        groups.check(call.space(), call.key(2), call.word(3), true);
        if (call.size() > OPTIONS_AT + 2) {
            throw CommandErrors.subcommandSyntax(call);
        }
        Optional<StreamId> start =
                call.text(4).equals("$") ? Optional.empty() : Optional.of(StreamIds.edge(call, 4, 0));
        groups.setLast(call.space(), call.key(2), call.word(3), new Groups.Start(start, options.read));
        return Reply.OK;
    }

    private Reply destroy(Call call) {
        return Reply.of(groups.destroy(call.space(), call.key(2), call.word(3)));
    }

    private Reply createConsumer(Call call) {
        return Reply.of(groups.createConsumer(call.space(), call.key(2), call.word(3), call.word(4)));
    }

    private Reply deleteConsumer(Call call) {
        return Reply.of(groups.deleteConsumer(call.space(), call.key(2), call.word(3), call.word(4)));
    }
}
