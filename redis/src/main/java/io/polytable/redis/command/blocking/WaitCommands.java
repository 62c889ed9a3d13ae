package io.polytable.redis.command.blocking;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.CONNECTION;
import static io.polytable.redis.command.Command.speaks;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import java.util.List;

/** WAIT: there are no replicas, so waiting for none is answered at once and waiting for some after the timeout. */
public final class WaitCommands implements CommandFamily {
    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(speaks("wait", exactly(3), this::waitForReplicas)
                .in(CONNECTION)
                .apart()
                .tips("request_policy:all_shards", "response_policy:agg_min"));
    }

    private Reply waitForReplicas(Call call) {
        long replicas = call.integer(1);
        long millis = Timeouts.millis(call, 2);
        if (replicas <= 0) {
            return Reply.ZERO;
        }
        return Waiter.forTime(call, millis, Reply.ZERO);
    }
}
