package io.polytable.store.memory;

/**
 * Places of rows, sorted by key, each key once; and beside each place the eight bytes of its key that follow the first
 * {@code skip}, which all keys of the run share, so that most comparisons need no look at the rows.
 *
 * @param prefixes to be compared as unsigned numbers; equal ones say nothing
 */
@SuppressWarnings("ArrayRecordComponent") // made once, never changed
record Run(int skip, long[] prefixes, int[] places) {
    static final Run EMPTY = new Run(0, new long[0], new int[0]);

    int size() {
        return places.length;
    }
}
