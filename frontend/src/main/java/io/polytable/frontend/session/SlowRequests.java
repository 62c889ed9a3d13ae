package io.polytable.frontend.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest slow requests of all protocols. Each is also a warning in the log, unless there are many at once. Thread
 * safe.
 */
public final class SlowRequests {
    public static final int KEPT_MAX = 128;
    static final int LOGGED_PER_SECOND_MAX = 10;
    private static final int TEXT_CHARS_MAX = 500;
    private static final Logger LOG = LoggerFactory.getLogger(SlowRequests.class);

    private final InstantSource clock;
    private final Deque<Slow> kept = new ArrayDeque<>();
    private volatile long thresholdNanos = Long.MAX_VALUE;
    private long second;
    private int logged;

    /**
     * A slow request.
     *
     * @param at when it ended
     * @param text as an operator may see it, without secrets
     */
    public record Slow(Instant at, String protocol, String user, String address, Duration took, String text) {
        /** One line. */
        @Override
        public String toString() {
            return protocol + " request of user " + user + " from " + address + " took " + took.toMillis() + " ms: "
                    + text.replaceAll("\\s+", " ");
        }
    }

    SlowRequests(InstantSource clock) {
        this.clock = clock;
    }

    /** Requests that take this long are slow; zero is never. No request is slow before the first call. */
    public void threshold(Duration least) {
        thresholdNanos = least.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(least);
    }

    boolean isSlow(long nanos) {
        return nanos >= thresholdNanos;
    }

    synchronized void add(Session session, String user, long nanos, String text) {
        Instant now = clock.instant();
        String start = text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) + "..." : text;
        Slow slow = new Slow(now, session.protocol(), user, session.address(), Duration.ofNanos(nanos), start);
        kept.addLast(slow);
        if (kept.size() > KEPT_MAX) {
            kept.removeFirst();
        }
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            logged = 0;
        }
        if (logged++ < LOGGED_PER_SECOND_MAX) {
            String more = logged < LOGGED_PER_SECOND_MAX ? "" : " (further ones of this second are not logged)";
            LOG.warn("Slow {}{}", slow, more);
        }
    }

    /** The latest ones, oldest first. */
    public synchronized List<Slow> latest() {
        return List.copyOf(kept);
    }
}
