package io.polytable.redis.model.zset;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.FencePlan;
import io.polytable.redis.model.order.FenceRows;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.table.Bytes;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.List;

/** Writes a whole sorted set from elements in order, without lookups. */
final class SortedSetWriter {
    private final WriteSet work;
    private final Elements members;
    private final OrderRows orders;
    private final FenceRows fences;
    private final FencePlan plan;

    SortedSetWriter(Space space, CollectionHeader header, long size) {
        Table table = space.unit().tables().elements(header.home());
        this.work = space.unit().writes();
        this.members = space.elements(header, ElementKind.ZSET_MEMBER);
        this.orders = new OrderRows(table, header.id(), Ordering.SCORES);
        this.fences = new FenceRows(table, header.id(), Ordering.SCORES);
        this.plan = new FencePlan(size, FenceLimits.STANDARD);
    }

    /** Answers the number of fence levels. */
    int write(List<Element> elements, boolean wide) {
        for (Element element : elements) {
            double score = wide ? element.score() : element.score() + 0.0;
            Bytes place = SortKeys.of(score, element.member());
            members.put(element.member(), SortedSet.encode(score));
            orders.put(work, place, OrderRows.value(score));
            plan.pass(work, fences, place);
        }
        return plan.levels();
    }
}
