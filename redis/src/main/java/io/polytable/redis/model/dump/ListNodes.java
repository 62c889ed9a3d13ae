package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.Listpack;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/** The listpacks that Redis has for a list whose elements were pushed to the tail one after the other. */
final class ListNodes {
    private static final int PACKED_NODE = 2;

    /** What Redis estimates for an element besides its bytes before it packs it. */
    private static final int ENTRY_BYTES = 8;

    private final PackingLimits limits;
    private final boolean single;
    private final List<Bytes> nodes = new ArrayList<>();
    private Listpack open = new Listpack();

    /** @param single whether all elements are in one listpack */
    ListNodes(PackingLimits limits, boolean single) {
        this.limits = limits;
        this.single = single;
    }

    void add(Bytes element) {
        if (!single && open.count() > 0 && isFullFor(element)) {
            nodes.add(open.toBytes());
            open = new Listpack();
        }
        open.add(element);
    }

    private boolean isFullFor(Bytes element) {
        return open.count() >= limits.listElementsMax()
                || (long) open.size() + element.length() + ENTRY_BYTES > limits.listBytesMax();
    }

    void write(ValueOutput out) {
        if (open.count() > 0) {
            nodes.add(open.toBytes());
        }
        out.length(nodes.size());
        for (Bytes node : nodes) {
            out.length(PACKED_NODE).string(node);
        }
    }
}
