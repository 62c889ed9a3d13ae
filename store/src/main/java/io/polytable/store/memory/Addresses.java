package io.polytable.store.memory;

/**
 * How the arena numbers its bytes. Addresses only grow. A <em>unit</em> is the stretch that an ordinary chunk covers; the
 * ring has one entry for each unit that can be in use at the same time, and a row's <em>place</em> is its address modulo
 * the ring, divided by four: 36 bits name 256 GiB, of which three quarters may be rows.
 *
 * @param unitShift the logarithm of a unit's bytes
 * @param ringShift the logarithm of the number of units in the ring
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

    /** How much may be in use: large chunks need some consecutive units, so not all can be. */
    long budgetBytesMax() {
        return bytes() / 4 * 3;
    }

    /** How far apart the first and the last row of a generation may lie. */
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

    /** How far the place lies behind the address; less than the ring's bytes. */
    long distance(long address, long place) {
        return ((place << PLACE_SHIFT) - address) & (bytes() - 1);
    }
}
