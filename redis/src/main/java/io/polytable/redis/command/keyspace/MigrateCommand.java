package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Category.DANGEROUS;
import static io.polytable.redis.command.Command.writes;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.KeySpec.Begin;
import io.polytable.redis.command.KeySpec.Find;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.model.RedisError;
import java.util.List;

/** MIGRATE: this server connects to no other. As in Redis, missing keys are answered without a connection. */
public final class MigrateCommand implements CommandFamily {
    private static final KeySpecs KEYS = KeySpecs.range(3, 3, 1)
            .as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.DELETE)
            .and(KeySpecs.of(new Begin.Keyword("KEYS", -2), new Find.Range(-1, 1, 0))
                    .as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.DELETE, KeyFlag.INCOMPLETE))
            .foundBy(MigrateCommand::find);

    private static final int OPTIONS_AT = 6;

    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                writes("migrate", atLeast(6), KEYS, this::migrate).in(DANGEROUS).tips("nondeterministic_output"));
    }

    private static void find(Call call, KeyPositions found) {
        int keyword = keyword(call);
        if (keyword == 0) {
            found.add(3);
            return;
        }
        // Together with a key argument, KEYS is rejected: there are no keys then.
        for (int i = keyword + 1; call.word(3).length() == 0 && i < call.size(); i++) {
            found.add(i);
        }
    }

    /** The position of KEYS among the options, or zero. */
    private static int keyword(Call call) {
        int i = OPTIONS_AT;
        while (i < call.size() && !call.is(i, "KEYS")) {
            i += 1 + parameters(call, i);
        }
        return i < call.size() ? i : 0;
    }

    /** The number of words that belong to this option. */
    private static int parameters(Call call, int at) {
        if (call.is(at, "AUTH")) {
            return 1;
        }
        return call.is(at, "AUTH2") ? 2 : 0;
    }

    private static void checkOptions(Call call) {
        int keyword = keyword(call);
        int end = keyword == 0 ? call.size() : keyword;
        int i = OPTIONS_AT;
        while (i < end) {
            int parameters = parameters(call, i);
            boolean known = parameters > 0 || call.is(i, "COPY") || call.is(i, "REPLACE");
            i += 1 + parameters;
            if (!known || i > end) {
                throw RedisError.SYNTAX;
            }
        }
        if (keyword > 0 && call.word(3).length() > 0) {
            throw new RedisError("When using MIGRATE KEYS option, the key argument must be set to the empty string");
        }
    }

    private Reply migrate(Call call) {
        checkOptions(call);
        call.integer(5);
        call.integer(4);
        KeyPositions keys = call.keyPositions();
        for (int i = 0; i < keys.size(); i++) {
            if (call.space().header(call.word(keys.at(i))).isPresent()) {
                throw new RedisError("MIGRATE is disabled: this server connects to no other");
            }
            call.space().missed(call.word(keys.at(i)));
        }
        return Reply.simple("NOKEY");
    }
}
