package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The value of {@code latency-tracking-info-percentiles}: percentages between 0 and 100, separated by single blanks. */
public final class Percentiles {
    private static final String NAME = "latency-tracking-info-percentiles";
    private static final int DECIMALS = 6;

    private Percentiles() {}

    /** @throws RedisError when one is not a number between 0 and 100 */
    static List<Double> parse(String text) {
        List<Double> all = new ArrayList<>();
        if (text.isEmpty()) {
            return all;
        }
        for (String word : text.split(" ", -1)) {
            double percentile = Numbers.parseDouble(Bytes.utf8(word))
                    .orElseThrow(() -> new RedisError("Invalid " + NAME + " parameters"));
            if (percentile < 0 || percentile > 100) {
                throw new RedisError(NAME + " parameters should sit between [0.0,100.0]");
            }
            all.add(percentile);
        }
        return all;
    }

    /** As CONFIG GET shows them. */
    static String text(List<Double> all) {
        return all.stream().map(Percentiles::text).collect(Collectors.joining(" "));
    }

    /** As Redis formats one: up to six decimals. */
    public static String text(double percentile) {
        BigDecimal rounded = new BigDecimal(percentile)
                .setScale(DECIMALS, RoundingMode.HALF_EVEN)
                .stripTrailingZeros();
        return rounded.toPlainString();
    }
}
