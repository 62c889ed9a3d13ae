package io.polytable.entity.request;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selects entities of a scan. Every filter has a JSON form, see {@link RowFilterJson}. */
public sealed interface RowFilter {
    boolean accepts(RowView row);

    /** The columns that the filter reads. */
    default DataRequest needs() {
        return DataRequest.EMPTY;
    }

    /** Entities that have the column, or any column of the family. */
    record HasColumn(ColumnName column) implements RowFilter {
        @Override
        public boolean accepts(RowView row) {
            return row.has(column);
        }

        @Override
        public DataRequest needs() {
            return DataRequest.of(ColumnRequest.of(column));
        }
    }

    /** Entities whose column's newest value is this one: a text, a number, or true or false. */
    record ColumnEquals(ColumnName column, Object value) implements RowFilter {
        @Override
        public boolean accepts(RowView row) {
            return row.newest(column).filter(this::isSame).isPresent();
        }

        private boolean isSame(Object found) {
            if (found instanceof Number left && value instanceof Number right) {
                boolean isWhole = !(left instanceof Double || left instanceof Float || right instanceof Double);
                return isWhole ? left.longValue() == right.longValue() : left.doubleValue() == right.doubleValue();
            }
            return found.equals(value)
                    || (found instanceof CharSequence && found.toString().equals(value));
        }

        @Override
        public DataRequest needs() {
            return DataRequest.of(ColumnRequest.of(column));
        }
    }

    /** Entities whose key has these components; null matches any. */
    record KeyMatches(List<@Nullable Object> components) implements RowFilter {
        public KeyMatches {
            components = Collections.unmodifiableList(new ArrayList<@Nullable Object>(components));
        }

        @Override
        public boolean accepts(RowView row) {
            List<@Nullable Object> found = row.id().components();
            for (int i = 0; i < components.size(); i++) {
                Object wanted = components.get(i);
                if (wanted != null && (i >= found.size() || !isSame(wanted, found.get(i)))) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isSame(Object wanted, @Nullable Object found) {
            return (wanted instanceof Number left && found instanceof Number right)
                    ? left.longValue() == right.longValue()
                    : wanted.equals(found);
        }
    }

    /** A sample of about this share of all entities, between 0 and 1; always the same ones. */
    record Sample(double part) implements RowFilter {
        public Sample {
            if (!(part >= 0 && part <= 1)) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "A sample is a part between 0 and 1", Map.of("part", part));
            }
        }

        @Override
        public boolean accepts(RowView row) {
            Bytes key = row.id().rowKey();
            long hash = 0xcbf29ce484222325L;
            for (int i = 0; i < key.length(); i++) {
                hash = (hash ^ (key.at(i) & 0xff)) * 0x100000001b3L;
            }
            hash = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
            return (hash >>> 11) * 0x1.0p-53 < part;
        }
    }

    record And(List<RowFilter> filters) implements RowFilter {
        public And {
            filters = List.copyOf(filters);
        }

        @Override
        public boolean accepts(RowView row) {
            return filters.stream().allMatch(filter -> filter.accepts(row));
        }

        @Override
        public DataRequest needs() {
            return filters.stream().map(RowFilter::needs).reduce(DataRequest.EMPTY, DataRequest::merge);
        }
    }

    record Or(List<RowFilter> filters) implements RowFilter {
        public Or {
            filters = List.copyOf(filters);
        }

        @Override
        public boolean accepts(RowView row) {
            return filters.stream().anyMatch(filter -> filter.accepts(row));
        }

        @Override
        public DataRequest needs() {
            return filters.stream().map(RowFilter::needs).reduce(DataRequest.EMPTY, DataRequest::merge);
        }
    }

    record Not(RowFilter filter) implements RowFilter {
        @Override
        public boolean accepts(RowView row) {
            return !filter.accepts(row);
        }

        @Override
        public DataRequest needs() {
            return filter.needs();
        }
    }
}
