package io.polytable.redis.model;

import io.polytable.table.Bytes;

/** The note a removed collection leaves: where its elements are, for the {@link Sweeper}. */
record Garbage(int home, Type type) {
    static Garbage of(CollectionHeader gone) {
        return new Garbage(gone.home(), gone.type());
    }

    static Garbage decode(Bytes row) {
        return new Garbage(row.at(0) & 0xff, Type.ofTag(row.at(1)));
    }

    Bytes row() {
        return Bytes.of(new byte[] {(byte) home, (byte) type.tag()});
    }
}
