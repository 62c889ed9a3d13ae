package io.polytable.store.fluss.ownership;

/** 128 bits that stand for a history, so that millions of states can be told apart in little memory. */
record Fingerprint(long high, long low) {
    static final Fingerprint NONE = new Fingerprint(0x9E3779B97F4A7C15L, 0xC2B2AE3D27D4EB4FL);

    /** With one event more, in order. */
    Fingerprint with(String event) {
        long h = high;
        long l = low;
        for (int i = 0; i < event.length(); i++) {
            h = mix(h ^ event.charAt(i), 0xBF58476D1CE4E5B9L);
            l = mix(l + event.charAt(i), 0x94D049BB133111EBL);
        }
        return new Fingerprint(mix(h, 0xFF51AFD7ED558CCDL), mix(l, 0xC4CEB9FE1A85EC53L));
    }

    Fingerprint with(Fingerprint other) {
        return new Fingerprint(
                mix(mix(high, 0xBF58476D1CE4E5B9L) ^ other.high, 0xFF51AFD7ED558CCDL),
                mix(mix(low, 0x94D049BB133111EBL) + other.low, 0xC4CEB9FE1A85EC53L));
    }

    /** With one event more, in whatever order they came. */
    Fingerprint plus(String event) {
        Fingerprint added = NONE.with(event);
        return new Fingerprint(high + added.high, low + added.low);
    }

    private static long mix(long value, long factor) {
        long product = (value ^ (value >>> 32)) * factor;
        return product ^ (product >>> 29);
    }
}
