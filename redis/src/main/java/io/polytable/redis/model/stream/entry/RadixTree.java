package io.polytable.redis.model.stream.entry;

import io.polytable.table.Bytes;
import java.util.List;

/**
 * The number of nodes of a radix tree over ids, for XINFO: Redis keeps its nodes of entries in one. A chain of bytes
 * without a branch is one node, and so is each end.
 */
public final class RadixTree {
    private final List<Bytes> keys;

    private RadixTree(List<Bytes> keys) {
        this.keys = keys;
    }

    /** The keys have one length, are distinct and in order. */
    public static long nodes(List<Bytes> keys) {
        return keys.isEmpty() ? 1 : new RadixTree(keys).count(0, keys.size(), 0);
    }

    /** Counts the nodes over a range of keys that share their first {@code depth} bytes. */
    private long count(int from, int to, int depth) {
        Bytes first = keys.get(from);
        if (to - from == 1) {
            return depth == first.length() ? 1 : 2;
        }
        int shared = depth;
        Bytes last = keys.get(to - 1);
        while (first.at(shared) == last.at(shared)) {
            shared++;
        }
        long nodes = shared > depth ? 2 : 1;
        int begin = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || keys.get(i).at(shared) != keys.get(begin).at(shared)) {
                nodes += count(begin, i, shared + 1);
                begin = i;
            }
        }
        return nodes;
    }
}
