package io.polytable.redis.wire;

import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.OutputLimit;
import io.polytable.redis.command.config.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * What a connection's client is told unasked, and whether the client reads fast enough. Nothing holds back those who tell it,
 * so one that does not read is closed: by its own limit, or because all such clients together hold too much.
 */
final class PushedOutput {
    private final Output output;
    private final Session session;
    private final Settings settings;
    private final List<byte[]> postponed = new ArrayList<>();
    private long postponedBytes;

    PushedOutput(Output output, Session session, Settings settings) {
        this.output = output;
        this.session = session;
        this.settings = settings;
    }

    /** Answers false when all clients together leave too much unread already. */
    boolean tell(SharedPush copies) {
        if (!output.hasRoom(copies.bytes(session.protocol()).length)) {
            return false;
        }
        copies.writeTo(output, session.protocol());
        return true;
    }

    /**
     * Keeps it until the answer that is pending was written: a reply comes before what its command tells its own client.
     * Answers false when all clients together leave too much unread already.
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

    /** Whether more is unsent than the client's class may have at any time. */
    boolean isTooMuch() {
        return limit().isBeyondHard(output.unsentBytes() + postponedBytes);
    }

    /** Whether more is unsent than may be for so long. Asked once a second. */
    boolean isTooMuchForLong(long nowMillis) {
        return output.exceedsSoft(limit(), nowMillis);
    }

    private OutputLimit limit() {
        return session.pushState().isSubscriber() ? settings.subscriberOutput() : settings.normalOutput();
    }

    /** The connection is gone. */
    void end() {
        postponed.clear();
    }
}
