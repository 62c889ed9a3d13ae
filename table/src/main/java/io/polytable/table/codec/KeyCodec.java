package io.polytable.table.codec;

import io.polytable.table.Bound;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.ColumnRange;
import io.polytable.table.ColumnVector;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.SortOrder;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableSpec;
import io.polytable.table.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The primary keys of a table as bytes, by its spec: the partition-key columns, then the sort-key columns, each as
 * {@link KeyWriter} writes it. {@code a < b} in the order of the spec exactly when {@code encode(a) < encode(b)}.
 */
public final class KeyCodec {
    record Part(Column column, SortOrder order) {}

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

    /**
     * The range of all rows whose first key columns have these values; within a partition if its columns are all given.
     */
    public KeyRange prefix(List<Value> leading) {
        Prefix prefix = prefixOf(leading);
        return KeyRange.inPartition(prefix.bytes(), prefix.partitionLength());
    }

    /**
     * The range of all rows whose first key columns have these values and whose next key column lies between the
     * bounds. The bounds are values: the lower is the smaller one also for a descending column.
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

    /**
     * The smallest key range with every row whose key columns lie in their ranges, by column name. It uses the leading
     * columns with a single value each, and the column after them; {@link #pushedDown} returns how many columns that
     * are.
     */
    public KeyRange range(Map<String, ColumnRange> ranges) {
        List<Value> leading = new ArrayList<>();
        for (Part part : parts) {
            ColumnRange range = ranges.get(part.column().name());
            if (range == null) {
                break;
            }
            Optional<Value> only = range.onlyValue();
            if (only.isEmpty()) {
                return between(leading, range.lower(), range.upper());
            }
            leading.add(only.get());
        }
        return prefix(leading);
    }

    /** The number of key columns that {@link #range} uses. */
    public int pushedDown(Map<String, ColumnRange> ranges) {
        int count = 0;
        boolean single = true;
        while (single && count < parts.size()) {
            ColumnRange range = ranges.get(parts.get(count).column().name());
            single = range != null && range.onlyValue().isPresent();
            count += range == null ? 0 : 1;
        }
        return count;
    }

    /** The key's columns, in key order. */
    public List<Column> columns() {
        return parts.stream().map(Part::column).toList();
    }

    /** Decodes keys into vectors, one for each requested key column. */
    public VectorReader into(List<Optional<ColumnVector>> targets) {
        return new VectorReader(targets);
    }

    /** Adds keys' values to the vectors of those columns that have one; not thread safe. */
    public final class VectorReader {
        private final @Nullable ColumnVector[] targets;
        private final KeyReader in = new KeyReader(Bytes.EMPTY);

        /** Columns after the last one with a vector need not be decoded. */
        private final int wanted;

        private VectorReader(List<Optional<ColumnVector>> perColumn) {
            int last = perColumn.size();
            while (last > 0 && perColumn.get(last - 1).isEmpty()) {
                last--;
            }
            wanted = last;
            targets = new ColumnVector[last];
            for (int i = 0; i < last; i++) {
                targets[i] = perColumn.get(i).orElse(null);
            }
        }

        public void read(ByteSlice key) {
            in.moveTo(key);
            for (int i = 0; i < wanted; i++) {
                Part part = parts.get(i);
                ColumnVector target = targets[i];
                if (target == null) {
                    in.skip(part.column().type(), part.order());
                } else {
                    ColumnBytes.readKey(in, part.order(), target);
                }
            }
            if (wanted == parts.size()) {
                in.end();
            }
        }
    }

    /** Empty if no key can follow a bound at the column's last value. */
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

    /**
     * An encoded prefix of columns and the length of its partition: zero while columns of the partition are missing.
     */
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
