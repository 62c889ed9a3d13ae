package io.polytable.redis.command.keyspace;

import static io.polytable.redis.command.Category.KEYSPACE;
import static io.polytable.redis.command.Flag.ASKING;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import java.util.List;

/** RESTORE-ASKING: RESTORE as one cluster node sends it to another during a slot migration. */
public final class RestoreAskingCommand implements CommandFamily {
    private final DumpCommands dumps;

    public RestoreAskingCommand(DumpCommands dumps) {
        this.dumps = dumps;
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(DumpCommands.restoring("restore-asking", dumps::restore)
                .with(ASKING)
                .in(KEYSPACE));
    }
}
