package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;

/** Up to how many elements, none of them longer than so many bytes, Redis keeps a collection packed. */
public record Packing(long elements, long bytes) {
    /** Whether an element is too long. */
    public boolean isTooLong(Bytes element) {
        return element.length() > bytes;
    }
}
