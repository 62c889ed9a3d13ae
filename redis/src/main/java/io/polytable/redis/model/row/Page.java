package io.polytable.redis.model.row;

import java.util.List;

/**
 * One step of a SCAN.
 *
 * @param cursor where the next step continues; 0 when this was the last
 */
public record Page(List<RingRow> rows, long cursor) {
    public static final Page NOTHING = new Page(List.of(), 0);
}
