package io.polytable.redis.command.cluster;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.CONNECTION;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.STALE;
import static io.polytable.redis.command.cluster.ClusterCommands.disabled;

import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import java.util.List;

/** ASKING, READONLY and READWRITE: rejected, since this server never redirects. */
public final class RedirectionCommands implements CommandFamily {
    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                disabled("asking", exactly(1)).with(FAST).in(CONNECTION),
                disabled("readonly", exactly(1)).with(LOADING, STALE, FAST).in(CONNECTION),
                disabled("readwrite", exactly(1)).with(LOADING, STALE, FAST).in(CONNECTION));
    }
}
