package io.polytable.conformance.differential;

import io.polytable.conformance.resp.Resp;
import java.util.List;
import java.util.Locale;

/**
 * The elements of a hash or set have an order while Redis packs it: that of insertion, and integers ascending. Replies
 * then have the same order on both sides; in all others the order means nothing.
 */
final class PackedOrder {
    private PackedOrder() {}

    /** Whether the command lists the elements of a key that the reference packs now. */
    static boolean applies(Speaker reference, int connection, List<String> words) {
        return switch (words.get(0).toUpperCase(Locale.ROOT)) {
            case "HKEYS", "HVALS", "HGETALL", "HSCAN", "SMEMBERS", "SSCAN" ->
                isPacked(reference
                        .call(connection, List.of("OBJECT", "ENCODING", words.get(1)))
                        .tree());
            default -> false;
        };
    }

    /** Whether this answer of OBJECT ENCODING names a packed form. */
    static boolean isPacked(Resp encoding) {
        return !encoding.isError()
                && !encoding.isNull()
                && List.of("listpack", "intset").contains(encoding.text());
    }
}
