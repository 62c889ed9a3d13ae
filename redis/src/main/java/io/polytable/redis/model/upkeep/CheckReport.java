package io.polytable.redis.model.upkeep;

import java.util.List;

/**
 * What a check found.
 *
 * @param findings the first of them
 * @param findingCount all of them
 * @param keyCount how many keys were looked at
 * @param elementCount how many elements they have, as their headers say
 */
public record CheckReport(List<Finding> findings, long findingCount, long keyCount, long elementCount) {
    public boolean isClean() {
        return findingCount == 0;
    }
}
