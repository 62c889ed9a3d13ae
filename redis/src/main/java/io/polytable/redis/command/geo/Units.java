package io.polytable.redis.command.geo;

import io.polytable.redis.command.Call;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.geo.GeoPoint;
import io.polytable.redis.model.number.Numbers;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Parses and formats positions, lengths and units. */
final class Units {
    private static final int DISTANCE_DIGITS = 4;
    private static final int POSITION_DIGITS = 17;

    private Units() {}

    /** The length of the unit in metres. */
    static double metres(Call call, int at) {
        if (call.is(at, "m")) {
            return 1;
        }
        if (call.is(at, "km")) {
            return 1000;
        }
        if (call.is(at, "ft")) {
            return 0.3048;
        }
        if (call.is(at, "mi")) {
            return 1609.34;
        }
        throw new RedisError("unsupported unit provided. please use M, KM, FT, MI");
    }

    static GeoPoint point(Call call, int at) {
        double longitude = number(call, at, RedisError.NOT_A_FLOAT);
        double latitude = number(call, at + 1, RedisError.NOT_A_FLOAT);
        GeoPoint point = new GeoPoint(longitude, latitude);
        if (!point.isOnTheMap()) {
            throw new RedisError("invalid longitude,latitude pair " + sixDigits(longitude) + "," + sixDigits(latitude));
        }
        return point;
    }

    /** Parses a length, in the unit given later in the call. It may be negative. */
    static double length(Call call, int at, String what) {
        return number(call, at, new RedisError("need numeric " + what));
    }

    private static double number(Call call, int at, RedisError otherwise) {
        return Numbers.parseDouble(call.word(at)).orElseThrow(() -> otherwise);
    }

    private static String sixDigits(double value) {
        // Negative zero keeps its sign, as C prints it.
        String sign = Math.copySign(1, value) < 0 ? "-" : "";
        double size = Math.abs(value);
        return sign
                + (Double.isInfinite(size)
                        ? "inf"
                        : new BigDecimal(size)
                                .setScale(6, RoundingMode.HALF_EVEN)
                                .toPlainString());
    }

    static String distance(double value) {
        return new BigDecimal(value)
                .setScale(DISTANCE_DIGITS, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    /** Up to 17 decimals, as Redis formats a long double for people. */
    static String degrees(double value) {
        BigDecimal exact = new BigDecimal(value)
                .setScale(POSITION_DIGITS, RoundingMode.HALF_EVEN)
                .stripTrailingZeros();
        return exact.signum() == 0 ? "0" : exact.toPlainString();
    }
}
