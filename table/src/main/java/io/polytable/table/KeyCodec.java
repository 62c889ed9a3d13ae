package io.polytable.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The primary keys of a table as bytes, by its spec: the partition-key columns, then the sort-key columns, each as
 * {@link KeyWriter} writes it. {@code a < b} in the order of the spec exactly when {@code encode(a) < encode(b)}.
 */
public final class KeyCodec {
    private record Part(Column column, SortOrder order) {}

    private static final KeyRange NOTHING = KeyRange.between(Bytes.of(new byte[1]), Bytes.of(new byte[1]));

    private final List<Part> parts;
    private final int partitionParts;

    private KeyCodec(List<Part> parts, int partitionParts) {
        this.parts = parts;
        this.partitionParts = partitionParts;
    }

    public static KeyCodec of(TableSpec spec) {
        List<Part> parts = spec.keyColumns().stream()
                .map(key -> new Part(spec.columns().get(spec.indexOf(key.column())), key.order()))
                .toList();
        return new KeyCodec(parts, spec.partitionKey().size());
    }

    /**
     * One value for each key column, in key order.
     *
     * @throws StoreException {@link StoreError#BAD_VALUE} when one is missing or of another type
     */
    public RowKey encode(List<Value> key) {
        if (key.size() != parts.size()) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "A key has another number of columns",
                    Map.of("columns", parts.size(), "values", key.size()));
        }
        Prefix prefix = prefixOf(key);
        return new RowKey(prefix.bytes(), prefix.partitionLength());
    }

    public List<Value> decode(Bytes key) {
        KeyReader in = new KeyReader(key);
        List<Value> values = new ArrayList<>(parts.size());
        for (Part part : parts) {
            values.add(ColumnBytes.readKey(in, part.column(), part.order()));
        }
        in.end();
        return values;
    }

    /** All rows whose first key columns have these values; within a partition when its columns are all given. */
    public KeyRange prefix(List<Value> leading) {
        Prefix prefix = prefixOf(leading);
        return KeyRange.inPartition(prefix.bytes(), prefix.partitionLength());
    }

    /**
     * All rows whose first key columns have these values, and whose next key column lies between the bounds: as values,
     * so that the lower is the smaller one also for a descending column.
     */
    public KeyRange between(List<Value> leading, Bound lower, Bound upper) {
        if (leading.size() >= parts.size()) {
            throw new StoreException(StoreError.BAD_VALUE, "No key column is left for the bounds");
        }
        boolean ascending = parts.get(leading.size()).order() == SortOrder.ASCENDING;
        Prefix prefix = prefixOf(leading);
        Bytes to = endOf(ascending ? upper : lower, leading);
        return startOf(ascending ? lower : upper, leading)
                .map(from -> new KeyRange(from, to, prefix.partitionLength()))
                .orElse(NOTHING);
    }

    /** Empty when nothing can follow a bound at the column's last value. */
    private Optional<Bytes> startOf(Bound bound, List<Value> leading) {
        Bytes prefix = prefixOf(leading).bytes();
        if (bound instanceof Bound.Exclusive exclusive) {
            Bytes after = prefixWith(leading, exclusive.value()).successorOfPrefix();
            return Optional.of(after).filter(from -> !from.isEmpty() && from.startsWith(prefix));
        }
        return Optional.of(
                bound instanceof Bound.Inclusive inclusive ? prefixWith(leading, inclusive.value()) : prefix);
    }

    private Bytes endOf(Bound bound, List<Value> leading) {
        if (bound instanceof Bound.Exclusive exclusive) {
            return prefixWith(leading, exclusive.value());
        }
        Bytes last = bound instanceof Bound.Inclusive inclusive
                ? prefixWith(leading, inclusive.value())
                : prefixOf(leading).bytes();
        return last.successorOfPrefix();
    }

    private Bytes prefixWith(List<Value> leading, Value next) {
        List<Value> values = new ArrayList<>(leading);
        values.add(next);
        return prefixOf(values).bytes();
    }

    /** Some leading columns, and how many of their bytes are a partition: none while columns of it are missing. */
    private record Prefix(Bytes bytes, int partitionLength) {}

    private Prefix prefixOf(List<Value> leading) {
        if (leading.size() > parts.size()) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "More values than key columns",
                    Map.of("columns", parts.size(), "values", leading.size()));
        }
        KeyWriter out = new KeyWriter();
        int partitionLength = 0;
        for (int i = 0; i < leading.size(); i++) {
            Part part = parts.get(i);
            ColumnBytes.writeKey(out, part.column(), part.order(), leading.get(i));
            if (i == partitionParts - 1) {
                partitionLength = out.length();
            }
        }
        return new Prefix(out.toBytes(), partitionLength);
    }
}
