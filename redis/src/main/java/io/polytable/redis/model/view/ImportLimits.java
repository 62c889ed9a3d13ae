package io.polytable.redis.model.view;

import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.stream.entry.NodeLimits;
import java.util.function.Supplier;

/** The encoding limits that an import writes with; asked for in each call, since CONFIG SET changes them. */
public record ImportLimits(Supplier<PackingLimits> packing, Supplier<NodeLimits> streamNodes) {
    /** Redis' defaults. */
    public static final ImportLimits STANDARD =
            new ImportLimits(() -> PackingLimits.STANDARD, () -> NodeLimits.STANDARD);
}
