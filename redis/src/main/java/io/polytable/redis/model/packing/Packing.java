package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;

/** The number of elements, and the bytes of each, up to which Redis packs a collection. */
public record Packing(long elements, long bytes) {
    public boolean isTooLong(Bytes element) {
        return element.length() > bytes;
    }
}
