package io.polytable.redis.command;

import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.CONNECTION;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.BLOCKING;

import io.polytable.redis.model.RedisError;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** WAIT: there are no replicas to wait for, so who wants none is answered at once and who wants some after the time. */
public final class WaitCommands implements CommandFamily {
    @Override
    public Group group() {
        return Group.GENERIC;
    }

    @Override
    public List<Command> commands() {
        return List.of(speaks("wait", exactly(3), this::waitForReplicas)
                .with(BLOCKING)
                .in(CONNECTION)
                .apart()
                .tips("request_policy:all_shards", "response_policy:agg_min"));
    }

    private Reply waitForReplicas(Call call) {
        long replicas = call.integer(1);
        long millis = call.integer(2, new RedisError("timeout is not an integer or out of range"));
        if (millis < 0) {
            throw new RedisError("timeout is negative");
        }
        if (replicas <= 0) {
            return Reply.ZERO;
        }
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        return new Reply.Later(
                millis == 0 ? answer : answer.completeOnTimeout(Reply.ZERO, millis, TimeUnit.MILLISECONDS));
    }
}
