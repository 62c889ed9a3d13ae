package io.polytable.table.codec;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
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
        KeyWriter out = new KeyWriter();
        int partitionLength = 0;
        for (int i = 0; i < key.size(); i++) {
            Part part = parts.get(i);
            ColumnBytes.writeKey(out, part.column(), part.order(), key.get(i));
            if (i == partitionParts - 1) {
                partitionLength = out.length();
            }
        }
        return new RowKey(out.toBytes(), partitionLength);
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
}
