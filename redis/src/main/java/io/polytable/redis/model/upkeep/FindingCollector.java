package io.polytable.redis.model.upkeep;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Collects findings: counts all, keeps the first. */
final class FindingCollector {
    private static final int KEPT_MAX = 1000;

    private final List<Finding> kept = new ArrayList<>();
    private long count;

    void add(String where, Bytes key, String problem) {
        count++;
        if (kept.size() < KEPT_MAX) {
            kept.add(new Finding(where, key.copy(), problem));
        }
    }

    CheckReport report(long keyCount, long elementCount) {
        return new CheckReport(List.copyOf(kept), count, keyCount, elementCount);
    }
}
