package io.polytable.table.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves, forwards or backwards. */
public final class ManualClock extends Clock {
    /** A recognizable time: 2024-01-01 at noon. */
    public static final Instant START = Instant.parse("2024-01-01T12:00:00Z");

    private final Hand hand;
    private final ZoneId zone;

    /** State shared by the clocks of several zones. */
    private static final class Hand {
        private Instant now;

        Hand(Instant now) {
            this.now = now;
        }

        synchronized Instant now() {
            return now;
        }

        synchronized void set(Instant to) {
            now = to;
        }

        synchronized void advance(Duration by) {
            now = now.plus(by);
        }
    }

    public ManualClock() {
        this(START);
    }

    public ManualClock(Instant start) {
        this(new Hand(start), ZoneOffset.UTC);
    }

    private ManualClock(Hand hand, ZoneId zone) {
        this.hand = hand;
        this.zone = zone;
    }

    public void advance(Duration by) {
        hand.advance(by);
    }

    public void advanceMillis(long millis) {
        advance(Duration.ofMillis(millis));
    }

    public void set(Instant to) {
        hand.set(to);
    }

    @Override
    public Instant instant() {
        return hand.now();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock in another zone: moving one moves both. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(hand, other);
    }
}
