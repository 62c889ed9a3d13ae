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

/** MIGRATE: this server connects to no other. Keys that are not there need no connection, as in Redis. */
public final class MigrateCommand implements CommandFamily {
    private static final KeySpecs KEYS = KeySpecs.range(3, 3, 1)
            .as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.DELETE)
            .and(KeySpecs.of(new Begin.Keyword("KEYS", -2), new Find.Range(-1, 1, 0))
                    .as(KeyFlag.RW, KeyFlag.ACCESS, KeyFlag.DELETE, KeyFlag.INCOMPLETE))
            .foundBy(MigrateCommand::find);

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
        if (call.word(3).length() > 0) {
            found.add(3);
            return;
        }
        int keyword = keyword(call);
        for (int i = keyword + 1; keyword > 0 && i < call.size(); i++) {
            found.add(i);
        }
    }

    /** Where the word KEYS stands among the options, zero when it is not there. */
    private static int keyword(Call call) {
        for (int i = 6; i < call.size(); i++) {
            if (call.is(i, "KEYS")) {
                return i;
            }
        }
        return 0;
    }

    private Reply migrate(Call call) {
        if (keyword(call) > 0 && call.word(3).length() > 0) {
            throw new RedisError("When using MIGRATE KEYS option, the key argument must be set to the empty string");
        }
        call.integer(5);
        call.integer(4);
        KeyPositions keys = call.keyPositions();
        for (int i = 0; i < keys.size(); i++) {
            if (call.space().header(call.word(keys.at(i))).isPresent()) {
                throw new RedisError("MIGRATE is disabled: this server connects to no other");
            }
        }
        return Reply.simple("NOKEY");
    }
}
