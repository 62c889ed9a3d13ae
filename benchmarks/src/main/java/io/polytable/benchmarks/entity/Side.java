package io.polytable.benchmarks.entity;

import java.util.List;

/** One implementation of the work: the entity library, or raw calls of the underlying store. */
interface Side extends AutoCloseable {
    int VALUE_BYTES = 100;

    void put(int row, byte[] value);

    /** Returns the value's length, to prove that it was read. */
    int get(int row);

    int getAll(List<Integer> rows);

    /** Reads so many rows in key order from this one on; returns how many. */
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
