package io.polytable.redis.model.view;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.table.Bytes;

/** The key and deadline under which a collection was last projected. */
record CollectionOwner(int physicalDatabase, Bytes key, long expireAt) {
    private static final int PREFIX = 1 + Long.BYTES;

    static CollectionOwner decode(Bytes note) {
        return new CollectionOwner(note.at(0) & 0xff, note.from(PREFIX), BigEndian.longAt(note, 1));
    }

    Bytes encode() {
        byte[] note = new byte[PREFIX + key.length()];
        note[0] = (byte) physicalDatabase;
        BigEndian.putLong(note, 1, expireAt);
        key.copyTo(note, PREFIX);
        return Bytes.of(note);
    }

    boolean isNamed(int database, Bytes name) {
        return physicalDatabase == database && key.equals(name);
    }
}
