package io.polytable.frontend.view;

import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.Bound;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.util.Map;

/** Tests whether a vector's value lies in a {@link ColumnRange}, without an object for the value. */
abstract sealed class RangeFilter {
    /** @throws StoreException {@link StoreError#BAD_VALUE} when a bound is not of the column's type */
    static RangeFilter of(Column column, ColumnRange range) {
        return switch (column.type()) {
            case BYTES, STRING -> new OfBytes(column, range);
            case BOOLEAN, INT, BIGINT, DOUBLE, TIMESTAMP -> new OfNumbers(column, range);
        };
    }

    abstract boolean contains(ColumnVector vector, int row);

    private static StoreException badValue(Column column, Value value) {
        return new StoreException(
                StoreError.BAD_VALUE,
                "A value does not fit its column",
                Map.of("column", column.name(), "type", column.type(), "value", value));
    }

    /** All types of fixed size, as longs of the same order. */
    private static final class OfNumbers extends RangeFilter {
        private final long least;
        private final long most;

        OfNumbers(Column column, ColumnRange range) {
            long low = Long.MIN_VALUE;
            long high = Long.MAX_VALUE;
            boolean none = false;
            if (range.lower() instanceof Bound.Inclusive bound) {
                low = number(column, bound.value());
            } else if (range.lower() instanceof Bound.Exclusive bound) {
                low = number(column, bound.value());
                none = low == Long.MAX_VALUE;
                low++;
            }
            if (range.upper() instanceof Bound.Inclusive bound) {
                high = number(column, bound.value());
            } else if (range.upper() instanceof Bound.Exclusive bound) {
                high = number(column, bound.value());
                none |= high == Long.MIN_VALUE;
                high--;
            }
            least = none ? 1 : low;
            most = none ? 0 : high;
        }

        private static long number(Column column, Value value) {
            if (value instanceof Value.OfBigint of && column.type() == ColumnType.BIGINT) {
                return of.value();
            }
            if (value instanceof Value.OfTimestamp of && column.type() == ColumnType.TIMESTAMP) {
                return of.micros();
            }
            if (value instanceof Value.OfInt of && column.type() == ColumnType.INT) {
                return of.value();
            }
            if (value instanceof Value.OfBoolean of && column.type() == ColumnType.BOOLEAN) {
                return of.value() ? 1 : 0;
            }
            if (value instanceof Value.OfDouble of && column.type() == ColumnType.DOUBLE) {
                return KeyWriter.ordered(of.value());
            }
            throw badValue(column, value);
        }

        @Override
        boolean contains(ColumnVector vector, int row) {
            if (!vector.isPresent(row)) {
                return false;
            }
            long value = number(vector, row);
            return value >= least && value <= most;
        }

        private static long number(ColumnVector vector, int row) {
            if (vector instanceof ColumnVector.OfLongs longs) {
                return longs.values()[row];
            }
            if (vector instanceof ColumnVector.OfInts ints) {
                return ints.values()[row];
            }
            if (vector instanceof ColumnVector.OfDoubles doubles) {
                return KeyWriter.ordered(doubles.values()[row]);
            }
            if (vector instanceof ColumnVector.OfBooleans booleans) {
                return booleans.values()[row];
            }
            throw new IllegalArgumentException("not a vector of numbers: " + vector.column());
        }
    }

    /** Bytes, and text as UTF-8, whose order is that of code points. */
    private static final class OfBytes extends RangeFilter {
        private final Column column;
        private final Bound lower;
        private final Bound upper;
        private final ByteSlice value = new ByteSlice();

        OfBytes(Column column, ColumnRange range) {
            this.column = column;
            lower = asBytes(range.lower());
            upper = asBytes(range.upper());
        }

        private Bound asBytes(Bound bound) {
            if (bound instanceof Bound.Inclusive inclusive) {
                return new Bound.Inclusive(asBytes(inclusive.value()));
            }
            return bound instanceof Bound.Exclusive exclusive ? new Bound.Exclusive(asBytes(exclusive.value())) : bound;
        }

        private Value.OfBytes asBytes(Value bound) {
            if (bound instanceof Value.OfBytes of && column.type() == ColumnType.BYTES) {
                return of;
            }
            if (bound instanceof Value.OfString of && column.type() == ColumnType.STRING) {
                return new Value.OfBytes(Bytes.strictUtf8(of.value()));
            }
            throw badValue(column, bound);
        }

        @Override
        boolean contains(ColumnVector vector, int row) {
            if (!vector.isPresent(row) || !(vector instanceof ColumnVector.OfBytes bytes)) {
                return false;
            }
            int start = bytes.offsets()[row];
            value.set(bytes.data(), start, bytes.offsets()[row + 1] - start);
            return reaches(lower, 1) && reaches(upper, -1);
        }

        private boolean reaches(Bound bound, int sign) {
            if (bound instanceof Bound.Inclusive inclusive && inclusive.value() instanceof Value.OfBytes limit) {
                return sign * value.compareWith(limit.value()) >= 0;
            }
            if (bound instanceof Bound.Exclusive exclusive && exclusive.value() instanceof Value.OfBytes limit) {
                return sign * value.compareWith(limit.value()) > 0;
            }
            return true;
        }
    }
}
