package io.polytable.benchmarks.entity;

import java.util.List;

/** One way to do the work: through the entity library, or with the raw calls of the store beneath. */
interface Side extends AutoCloseable {
    int VALUE_BYTES = 100;

    void put(int row, byte[] value);

    /** The value's length, so that it was read. */
    int get(int row);

    int getAll(List<Integer> rows);

    /** Reads so many rows in key order from this one on; answers how many. */
    int scan(int from, int rows);

    long increment(int row);

    /** Puts a new value if the row's present one is the expected. */
    boolean check(int row, byte[] expected, byte[] value);

    @Override
    void close();

    /** Keys in the order of rows. */
    static String key(int row) {
        return String.format("%010d", row);
    }
}
