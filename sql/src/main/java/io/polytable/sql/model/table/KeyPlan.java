package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredValues;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.SortOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The key ranges that conditions on leading key columns select: first equalities, each of which extends the prefix (IN
 * by several values), then at most one column with bounds.
 */
final class KeyPlan {
    /** Beyond this many points a range is scanned: seeks would cost more than the rows in between. */
    private static final int POINTS_MAX = 1000;

    private final List<KeyRange> ranges;
    private final int equalities;
    private final boolean bounded;

    private KeyPlan(List<KeyRange> ranges, int equalities, boolean bounded) {
        this.ranges = ranges;
        this.equalities = equalities;
        this.bounded = bounded;
    }

    /**
     * A column of a key.
     *
     * @param marked whether a byte before it marks NULL, as in indexes
     */
    record Part(String column, SqlType type, boolean marked) {}

    /** Sorted, disjoint ranges. */
    List<KeyRange> ranges() {
        return ranges;
    }

    /** How many leading columns have equalities. */
    int equalities() {
        return equalities;
    }

    boolean isAll() {
        return equalities == 0 && !bounded;
    }

    /**
     * @param prefix precedes the parts in every key
     * @param partition the bytes of it that are the partition; zero if not known yet
     */
    static KeyPlan of(Bytes prefix, int partition, List<Part> parts, List<Relation.Condition> conditions) {
        List<Bytes> prefixes = new ArrayList<>(List.of(prefix));
        int at = 0;
        int partitionLength = partition;
        while (at < parts.size()) {
            List<Object> values = equalTo(parts.get(at), conditions);
            if (values.isEmpty() || (long) prefixes.size() * values.size() > POINTS_MAX) {
                break;
            }
            prefixes = extended(prefixes, parts.get(at), values);
            at++;
            if (partitionLength == 0 && prefixes.size() == 1) {
                partitionLength = prefixes.get(0).length();
            }
        }
        int inside = partitionLength;
        if (at < parts.size()) {
            Part next = parts.get(at);
            List<Relation.Condition> bounds = boundsOf(next, conditions);
            if (!bounds.isEmpty()) {
                List<KeyRange> ranges = prefixes.stream()
                        .map(start -> bounded(start, inside, next, bounds))
                        .filter(range -> !range.isEmpty())
                        .toList();
                return new KeyPlan(ranges, at, true);
            }
        }
        List<KeyRange> ranges =
                prefixes.stream().map(start -> all(start, inside)).toList();
        return new KeyPlan(ranges, at, false);
    }

    private static KeyRange all(Bytes start, int partition) {
        return start.isEmpty() ? KeyRange.ALL : KeyRange.inPartition(start, Math.min(partition, start.length()));
    }

    private static List<Object> equalTo(Part part, List<Relation.Condition> conditions) {
        for (Relation.Condition condition : conditions) {
            if (condition.column().equals(part.column()) && condition.operator().equals("=")) {
                return condition.values();
            }
        }
        return List.of();
    }

    private static List<Bytes> extended(List<Bytes> prefixes, Part part, List<Object> values) {
        List<Bytes> longer = new ArrayList<>();
        for (Bytes prefix : prefixes) {
            values.stream()
                    .map(value -> prefix.concat(encoded(part, value)))
                    .distinct()
                    .sorted()
                    .forEach(longer::add);
        }
        return longer;
    }

    private static Bytes encoded(Part part, Object value) {
        KeyWriter out = new KeyWriter();
        if (part.marked()) {
            out.bool(true, SortOrder.ASCENDING);
        }
        StoredValues.writeKey(out, part.type(), value);
        return out.toBytes();
    }

    private static List<Relation.Condition> boundsOf(Part part, List<Relation.Condition> conditions) {
        return conditions.stream()
                .filter(condition -> condition.column().equals(part.column())
                        && !condition.operator().equals("="))
                .toList();
    }

    private static KeyRange bounded(Bytes prefix, int partition, Part part, List<Relation.Condition> bounds) {
        Bytes from = prefix;
        Bytes to = prefix.successorOfPrefix();
        for (Relation.Condition bound : bounds) {
            Bytes at = prefix.concat(encoded(part, bound.value()));
            switch (bound.operator()) {
                case ">=" -> from = later(from, at);
                case ">" -> from = later(from, at.successorOfPrefix());
                case "<" -> to = earlier(to, at);
                default -> to = earlier(to, at.successorOfPrefix());
            }
        }
        if (!to.isEmpty() && from.compareTo(to) > 0) {
            from = to;
        }
        boolean inside = partition > 0 && partition <= from.length() && partition <= prefix.length();
        return inside && from.startsWith(prefix) ? new KeyRange(from, to, partition) : KeyRange.between(from, to);
    }

    private static Bytes later(Bytes a, Bytes b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** The earlier end; empty means unbounded. */
    private static Bytes earlier(Bytes a, Bytes b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }
}
