package io.polytable.table.codec;

import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The order that keys promise, defined without bytes; the codec is compared with it. */
enum ValueOrder implements Comparator<Value> {
    INSTANCE;

    @Override
    public int compare(Value a, Value b) {
        if (a instanceof Value.OfBytes left && b instanceof Value.OfBytes right) {
            return left.value().compareTo(right.value());
        }
        if (a instanceof Value.OfString left && b instanceof Value.OfString right) {
            return compareCodePoints(left.value(), right.value());
        }
        if (a instanceof Value.OfBoolean left && b instanceof Value.OfBoolean right) {
            return Boolean.compare(left.value(), right.value());
        }
        if (a instanceof Value.OfInt left && b instanceof Value.OfInt right) {
            return Integer.compare(left.value(), right.value());
        }
        if (a instanceof Value.OfBigint left && b instanceof Value.OfBigint right) {
            return Long.compare(left.value(), right.value());
        }
        if (a instanceof Value.OfDouble left && b instanceof Value.OfDouble right) {
            return Double.compare(left.value(), right.value());
        }
        if (a instanceof Value.OfTimestamp left && b instanceof Value.OfTimestamp right) {
            return Long.compare(left.micros(), right.micros());
        }
        throw new IllegalArgumentException(a + " and " + b + " have no order");
    }

    private static int compareCodePoints(String a, String b) {
        int[] left = a.codePoints().toArray();
        int[] right = b.codePoints().toArray();
        return Arrays.compare(left, right);
    }

    /** Compares column by column, turned around where the key column is descending. */
    static Comparator<List<Value>> of(List<SortOrder> orders) {
        return (a, b) -> {
            for (int i = 0; i < orders.size(); i++) {
                int order = INSTANCE.compare(a.get(i), b.get(i));
                if (order != 0) {
                    return orders.get(i) == SortOrder.ASCENDING ? order : -order;
                }
            }
            return 0;
        };
    }
}
