package io.polytable.table.codec;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the columns of a row that are not in its key (docs/formats/rows.md): a version, the number of columns, a
 * presence bitmap, and the values in the order of the spec.
 *
 * <ul>
 *   <li>Absent columns at the end are not written, so a row has the same bytes whether it was written before or after a
 *       column was added, and the added column reads as absent.
 *   <li>Columns beyond those of the spec are skipped: a reader with an older spec reads the columns it knows. A writer
 *       that rewrites a row must use the current spec, or it would drop newer columns.
 * </ul>
 */
public final class ValueCodec {
    public static final int VERSION = 1;

    private static final Value ABSENT = new Value.Absent();

    private final List<Column> columns;

    private ValueCodec(List<Column> columns) {
        this.columns = columns;
    }

    public static ValueCodec of(TableSpec spec) {
        List<String> key = spec.keyColumns().stream().map(KeyColumn::column).toList();
        return new ValueCodec(spec.columns().stream()
                .filter(column -> !key.contains(column.name()))
                .toList());
    }

    /** The columns it writes: those of the spec that are not in the key, in the spec's order. */
    public List<Column> columns() {
        return columns;
    }

    /**
     * One value for each of {@link #columns()}.
     *
     * @throws StoreException {@link StoreError#BAD_VALUE} when one is missing or of another type
     */
    public Bytes encode(List<Value> values) {
        if (values.size() != columns.size()) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "A row has another number of columns",
                    Map.of("columns", columns.size(), "values", values.size()));
        }
        int count = values.size();
        while (count > 0 && isAbsent(values.get(count - 1))) {
            count--;
        }
        BytesWriter out = new BytesWriter();
        out.u8(VERSION).varint(count);
        writePresence(out, values, count);
        for (int i = 0; i < count; i++) {
            if (!isAbsent(values.get(i))) {
                ColumnBytes.writeRow(out, columns.get(i), values.get(i));
            }
        }
        return out.toBytes();
    }

    private static boolean isAbsent(Value value) {
        return value instanceof Value.Absent;
    }

    /** One bit per column, the first column in the lowest bit of the first byte. */
    private static void writePresence(BytesWriter out, List<Value> values, int count) {
        for (int start = 0; start < count; start += 8) {
            int bits = 0;
            for (int i = start; i < Math.min(start + 8, count); i++) {
                bits |= isAbsent(values.get(i)) ? 0 : 1 << (i - start);
            }
            out.u8(bits);
        }
    }

    /**
     * Decodes one value for each of {@link #columns()}.
     *
     * @throws StoreException {@link StoreError#NEWER_FORMAT} if newer code wrote it, {@link StoreError#CORRUPT} if it
     *     is invalid
     */
    public List<Value> decode(Bytes row) {
        BytesReader in = new BytesReader(row);
        requireKnown(in.u8());
        long count = in.varint();
        if (count < 0 || count > Limits.COLUMNS_MAX) {
            throw in.corrupt("A row has more columns than the limit");
        }
        Bytes presence = in.raw(((int) count + 7) / 8);
        List<Value> values = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            values.add(i < count && isPresent(presence, i) ? ColumnBytes.readRow(in, columns.get(i)) : ABSENT);
        }
        if (count <= columns.size()) {
            in.end();
        }
        return values;
    }

    /** Decodes rows' values into vectors. */
    public VectorReader into(List<Optional<ColumnVector>> targets) {
        return new VectorReader(targets);
    }

    /** Adds rows' values to the vectors of those columns that have one; not thread safe. */
    public final class VectorReader {
        private final @Nullable ColumnVector[] targets;
        private final BytesReader in = new BytesReader(Bytes.EMPTY);

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

        public boolean wantsNothing() {
            return wanted == 0;
        }

        public void read(ByteSlice row) {
            in.moveTo(row);
            requireKnown(in.u8());
            long count = in.varint();
            if (count < 0 || count > Limits.COLUMNS_MAX) {
                throw in.corrupt("A row has more columns than the limit");
            }
            int presence = in.skip(((int) count + 7) / 8);
            for (int i = 0; i < wanted; i++) {
                boolean present = i < count && (in.array()[presence + i / 8] >> (i % 8) & 1) == 1;
                ColumnVector target = targets[i];
                if (target == null) {
                    if (present) {
                        ColumnBytes.skipRow(in, columns.get(i).type());
                    }
                } else if (present) {
                    ColumnBytes.readRow(in, target);
                } else {
                    target.addAbsent();
                }
            }
        }
    }

    private static boolean isPresent(Bytes presence, int index) {
        return (presence.at(index / 8) >> (index % 8) & 1) == 1;
    }

    private static void requireKnown(int version) {
        if (version > VERSION) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT,
                    "A row was written by newer code",
                    Map.of("version", version, "known", VERSION));
        }
        if (version != VERSION) {
            throw new StoreException(StoreError.CORRUPT, "Not a row", Map.of("version", version));
        }
    }
}
