package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The mapping from the databases that clients select to physical databases (the first byte of a key's row). There are
 * more physical ones than a client can select, so that SWAPDB exchanges two numbers and FLUSHDB takes a fresh one: the
 * background drops the rows of a flushed database, whatever their number. Immutable.
 */
public final class Databases {
    /** The number of databases that a client can select. */
    public static final int COUNT = 16;

    public static final int PHYSICAL_COUNT = 256;

    private final byte[] physical;
    private final BitSet dropped;

    private Databases(byte[] physical, BitSet dropped) {
        this.physical = physical;
        this.dropped = dropped;
    }

    public static Databases first() {
        byte[] physical = new byte[COUNT];
        for (int i = 0; i < COUNT; i++) {
            physical[i] = (byte) i;
        }
        return new Databases(physical, new BitSet());
    }

    /** Decodes the physical numbers in the order of the databases, then those whose rows are being dropped. */
    public static Databases decode(Bytes row) {
        BitSet dropped = new BitSet();
        for (int i = COUNT; i < row.length(); i++) {
            dropped.set(row.at(i) & 0xff);
        }
        return new Databases(row.slice(0, COUNT).toByteArray(), dropped);
    }

    public Bytes encode() {
        byte[] row = Arrays.copyOf(physical, COUNT + dropped.cardinality());
        int at = COUNT;
        for (int db = dropped.nextSetBit(0); db >= 0; db = dropped.nextSetBit(db + 1)) {
            row[at++] = (byte) db;
        }
        return Bytes.of(row);
    }

    public int physical(int database) {
        return physical[database] & 0xff;
    }

    /** The database through which clients see the physical one; -1 when none does. */
    public int database(int physicalDatabase) {
        for (int i = 0; i < COUNT; i++) {
            if (physical[i] == (byte) physicalDatabase) {
                return i;
            }
        }
        return -1;
    }

    public boolean isLive(int physicalDatabase) {
        return database(physicalDatabase) >= 0;
    }

    public BitSet dropped() {
        return (BitSet) dropped.clone();
    }

    Databases swap(int one, int other) {
        byte[] next = physical.clone();
        next[one] = physical[other];
        next[other] = physical[one];
        return new Databases(next, dropped);
    }

    /** Whether another database can be flushed; false while the rows of very many flushed ones remain. */
    boolean hasSpare() {
        return dropped.cardinality() < PHYSICAL_COUNT - COUNT;
    }

    public Databases flush(int database) {
        byte[] next = physical.clone();
        next[database] = (byte) spare();
        BitSet nextDropped = dropped();
        nextDropped.set(physical(database));
        return new Databases(next, nextDropped);
    }

    private int spare() {
        for (int db = 0; db < PHYSICAL_COUNT; db++) {
            if (!isLive(db) && !dropped.get(db)) {
                return db;
            }
        }
        throw new IllegalStateException("no spare database");
    }

    /** Marks databases that no client selects for removal of their rows. */
    Databases drop(BitSet physicalDatabases) {
        BitSet next = dropped();
        next.or(physicalDatabases);
        return new Databases(physical, next);
    }

    /** Frees the number of a dropped database whose rows are gone. */
    public Databases reclaim(int physicalDatabase) {
        BitSet next = dropped();
        next.clear(physicalDatabase);
        return new Databases(physical, next);
    }
}
