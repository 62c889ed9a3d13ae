package io.polytable.redis.command.blocking;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.LongDouble;
import java.math.BigInteger;

/** Parses the timeouts of blocking calls. */
public final class Timeouts {
    private static final String OUT_OF_RANGE = "timeout is out of range";
    private static final String NEGATIVE = "timeout is negative";
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private Timeouts() {}

    /** Parses seconds with a fraction into milliseconds, rounded up; zero for no timeout. */
    public static long seconds(Call call, int index) {
        LongDouble seconds = LongDouble.parse(call.word(index))
                .orElseThrow(() -> new RedisError("timeout is not a float or out of range"));
        if (!seconds.isFinite()) {
            throw new RedisError(seconds.isNegative() ? NEGATIVE : OUT_OF_RANGE);
        }
        BigInteger millis = seconds.timesRoundedUp(1000);
        if (millis.compareTo(MAX) > 0) {
            throw new RedisError(OUT_OF_RANGE);
        }
        if (millis.signum() < 0) {
            throw new RedisError(NEGATIVE);
        }
        // Redis stores the deadline, not the duration: that must fit too.
        if (millis.longValueExact() > Long.MAX_VALUE - call.nowMillis()) {
            throw new RedisError(OUT_OF_RANGE);
        }
        return millis.longValueExact();
    }

    /** Parses milliseconds; zero for no timeout. */
    public static long millis(Call call, int index) {
        long millis = call.integer(index, new RedisError("timeout is not an integer or out of range"));
        if (millis < 0) {
            throw new RedisError(NEGATIVE);
        }
        if (millis > Long.MAX_VALUE - call.nowMillis()) {
            throw new RedisError(OUT_OF_RANGE);
        }
        return millis;
    }
}
