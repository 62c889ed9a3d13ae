package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.node.Tally;
import io.polytable.redis.model.RedisError;

/**
 * Measures the calls of a dispatcher for the tally, the slow log and the latency events. It reads the clock once per
 * command: the end of one is the start of the next.
 */
final class CallTimer {
    private final Node node;
    private final RedisConfig settings;
    private final Tally tally;
    private long lastNanos;

    CallTimer(Node node, Tally tally) {
        this.node = node;
        this.settings = node.settings();
        this.tally = tally;
    }

    void start() {
        lastNanos = System.nanoTime();
    }

    Reply refused(RedisError error) {
        tally.refused(error.code());
        return Reply.error(error);
    }

    Reply rejected(Command command, RedisError error) {
        tally.rejected(command, error.code());
        return Reply.error(error);
    }

    void ran(Call call, Command command, Reply reply) {
        long end = System.nanoTime();
        long nanos = end - lastNanos;
        lastNanos = end;
        if (reply instanceof Reply.Blocked) {
            // As in Redis, only the run that produces the reply counts.
            return;
        }
        note(call, command, reply, nanos);
        if (nanos > 1_000_000) {
            // The next command of this batch must not see a stale time.
            call.at(node.clock().millis());
        }
    }

    /** Skips the time of a call that was only queued. */
    void queued() {
        start();
    }

    /** Records a call that ran inside another: in EXEC, or served by a write. */
    void ranWithin(Call call, Reply reply, long nanos) {
        note(call, call.command(), reply, nanos);
    }

    /** Counts a blocked call that ended without being served. Its wait is no work, so it takes no time. */
    void endedUnserved(Command command, Reply reply) {
        tally.ran(command, 0);
        if (reply instanceof Reply.Failure failure) {
            tally.failed(command, failure.error().code());
        }
    }

    private void note(Call call, Command command, Reply reply, long nanos) {
        tally.ran(command, nanos);
        if (reply instanceof Reply.Failure failure) {
            tally.failed(command, failure.error().code());
        }
        long slowerThan = settings.slowerThanMicros();
        if (slowerThan >= 0 && nanos / 1000 >= slowerThan && !command.has(Flag.SKIP_SLOWLOG)) {
            node.slowlog().add(call, nanos / 1000);
        }
        if (!command.has(Flag.SKIP_SLOWLOG)) {
            node.ran(call, nanos);
        }
        long threshold = settings.latencyThresholdMillis();
        if (threshold > 0 && nanos / 1_000_000 >= threshold) {
            String event = command.has(Flag.FAST) ? "fast-command" : "command";
            node.latency().add(event, call.nowMillis(), nanos / 1_000_000);
        }
    }
}
