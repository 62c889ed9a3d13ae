package io.polytable.store.memory;

/**
 * The arena's address arithmetic. Addresses only grow. A <em>unit</em> is the span of an ordinary chunk. The ring has
 * one entry per unit that can be in use at the same time. A row's <em>place</em> is its address modulo the ring,
 * divided by four: 36 bits cover 256 GiB, of which three quarters may be rows.
 *
 * @param unitShift log2 of a unit's bytes
 * @param ringShift log2 of the number of units in the ring
 */
record Addresses(int unitShift, int ringShift) {
    static final Addresses DEFAULT = new Addresses(20, 18);

    /** Rows start at multiples of four. */
    private static final int PLACE_SHIFT = 2;

    /** A row's distance from the first one of its generation, divided by four, must fit into 32 bits. */
    private static final long SPAN_BYTES_MAX = 8L << 30;

    int unitBytes() {
        return 1 << unitShift;
    }

    int units() {
        return 1 << ringShift;
    }

    long bytes() {
        return 1L << (unitShift + ringShift);
    }

    /** The most bytes that may be in use. Not all of the ring: a large chunk needs several consecutive free units. */
    long budgetBytesMax() {
        return bytes() / 4 * 3;
    }

    /** The largest distance between the first and the last row of a generation. */
    long spanBytesMax() {
        return Math.min(bytes() / 2, SPAN_BYTES_MAX);
    }

    int unitOf(long address) {
        return (int) (address >>> unitShift) & (units() - 1);
    }

    long placeOf(long address) {
        return (address & (bytes() - 1)) >>> PLACE_SHIFT;
    }

    int unitOfPlace(long place) {
        return (int) (place >>> (unitShift - PLACE_SHIFT));
    }

    /** The distance from the address to the place, less than the ring's bytes. */
    long distance(long address, long place) {
        return ((place << PLACE_SHIFT) - address) & (bytes() - 1);
    }
}
