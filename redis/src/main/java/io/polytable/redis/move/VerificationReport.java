package io.polytable.redis.move;

import java.util.List;

/**
 * The outcome of a comparison.
 *
 * @param keys that were compared
 * @param differences the keys that differ; at the limit of the comparison there may be more
 * @param samples sentences about the first of them
 */
public record VerificationReport(long keys, long differences, List<String> samples) {
    /** So many differences are described. */
    static final int SAMPLES = 20;

    public boolean isSame() {
        return differences == 0;
    }

    /** A sentence for people. */
    public String sentence() {
        return isSame()
                ? keys + " keys are the same, value by value"
                : keys + " keys were compared, " + differences + " differ: " + String.join("; ", samples);
    }
}
