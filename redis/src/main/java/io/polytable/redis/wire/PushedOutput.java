package io.polytable.redis.wire;

import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.OutputLimit;
import io.polytable.redis.command.config.RedisConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The push messages of a connection, and whether its client reads fast enough. Producers of push messages are not held
 * back by one slow client, so it is closed: by its own output limit, or when all such clients together exceed the
 * budget.
 */
final class PushedOutput {
    private final Output output;
    private final Session session;
    private final RedisConfig settings;
    private final List<byte[]> postponed = new ArrayList<>();
    private long postponedBytes;

    PushedOutput(Output output, Session session, RedisConfig settings) {
        this.output = output;
        this.session = session;
        this.settings = settings;
    }

    /** Writes the message; false when the shared budget is exhausted. */
    boolean tell(SharedPush copies) {
        if (!output.hasRoom(copies.bytes(session.protocol()).length)) {
            return false;
        }
        copies.writeTo(output, session.protocol());
        return true;
    }

    /**
     * Keeps the message until the pending reply was written: a reply comes before the messages that its command causes.
     * Returns false when the shared budget is exhausted.
     */
    boolean postpone(SharedPush copies) {
        byte[] bytes = copies.bytes(session.protocol());
        if (!output.hasRoom((int) Math.min(Integer.MAX_VALUE, postponedBytes + bytes.length))) {
            return false;
        }
        postponed.add(bytes);
        postponedBytes += bytes.length;
        return true;
    }

    void tellPostponed() {
        postponed.forEach(bytes -> output.take(bytes, 0, bytes.length));
        postponed.clear();
        postponedBytes = 0;
    }

    /** Whether the unsent bytes exceed the hard limit. */
    boolean isTooMuch() {
        return limit().isBeyondHard(output.unsentBytes() + postponedBytes);
    }

    /** Whether the unsent bytes have exceeded the soft limit for too long. Called once per second. */
    boolean isTooMuchForLong(long nowMillis) {
        return output.exceedsSoft(limit(), nowMillis);
    }

    private OutputLimit limit() {
        return session.pushState().isSubscriber() ? settings.subscriberOutput() : settings.normalOutput();
    }

    /** The connection is closed. */
    void end() {
        postponed.clear();
    }
}
