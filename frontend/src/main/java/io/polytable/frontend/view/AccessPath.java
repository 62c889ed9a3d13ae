package io.polytable.frontend.view;

import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.column.ColumnRange;
import java.util.List;
import java.util.Map;

/**
 * How rows that satisfy conditions are found. It is chosen once per query: EXPLAIN prints it, and the reader executes it.
 * Rows on the path need not satisfy the conditions.
 */
public sealed interface AccessPath {
    /** The key ranges of the underlying table that hold all rows of the path, sorted and disjoint. */
    List<KeyRange> ranges();

    /** For people. */
    String text();

    /** Whether it reads fewer rows than all. */
    default boolean isNarrow() {
        return true;
    }

    /** At most one row, by its whole primary key. */
    record Point(List<String> key, KeyRange range) implements AccessPath {
        public Point {
            key = List.copyOf(key);
        }

        public RowKey row() {
            return new RowKey(range.from(), range.partitionLength());
        }

        @Override
        public List<KeyRange> ranges() {
            return List.of(range);
        }

        @Override
        public String text() {
            return "one row by primary key (" + String.join(", ", key) + ")";
        }
    }

    /**
     * Ranges of the primary key.
     *
     * @param fixed the number of leading key columns that have one or several given values
     */
    record Ranges(List<String> key, int fixed, List<KeyRange> ranges) implements AccessPath {
        public Ranges {
            key = List.copyOf(key);
            ranges = List.copyOf(ranges);
        }

        @Override
        public String text() {
            return count(ranges, "range") + " of the primary key (" + String.join(", ", key) + "), " + fixed
                    + " leading column" + (fixed == 1 ? "" : "s") + " fixed";
        }
    }

    /**
     * Ranges of an index.
     *
     * @param entries the ranges of the index
     * @param ranges of the table, which hold all rows that the index may point to
     */
    record Index(String name, List<KeyRange> entries, List<KeyRange> ranges) implements AccessPath {
        public Index {
            entries = List.copyOf(entries);
            ranges = List.copyOf(ranges);
        }

        @Override
        public String text() {
            return count(entries, "range") + " of index " + name;
        }
    }

    /** Ranges of key columns of a view, which narrows its rows as far as its layout allows. */
    record Columns(Map<String, ColumnRange> columns, List<String> key) implements AccessPath {
        public Columns {
            columns = Map.copyOf(columns);
            key = List.copyOf(key);
        }

        @Override
        public List<KeyRange> ranges() {
            return List.of(KeyRange.ALL);
        }

        @Override
        public String text() {
            return "a range of "
                    + String.join(
                            ", ", key.stream().filter(columns::containsKey).toList());
        }
    }

    /** All rows of these ranges, such as those of one user. */
    record All(List<KeyRange> ranges) implements AccessPath {
        public static final All ROWS = new All(List.of(KeyRange.ALL));

        public All {
            ranges = List.copyOf(ranges);
        }

        @Override
        public boolean isNarrow() {
            return false;
        }

        @Override
        public String text() {
            return "all rows";
        }
    }

    private static String count(List<KeyRange> ranges, String what) {
        return ranges.size() + " " + what + (ranges.size() == 1 ? "" : "s");
    }
}
