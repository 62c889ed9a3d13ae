package io.polytable.redis.model.upkeep;

import java.util.List;

/**
 * The result of a check.
 *
 * @param findings the first of them
 * @param findingCount the number of all
 * @param keyCount the number of keys checked
 * @param elementCount the number of their elements, according to their headers
 */
public record CheckReport(List<Finding> findings, long findingCount, long keyCount, long elementCount) {
    public boolean isClean() {
        return findingCount == 0;
    }
}
