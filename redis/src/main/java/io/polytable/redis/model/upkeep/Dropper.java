package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyCounts;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.write.WriteSet;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Deletes the keys of flushed databases and leaves their collections to the {@link Sweeper}. No client can select such
 * a database, so no stripes are needed until its number is reused.
 */
final class Dropper {
    private final RedisTables tables;
    private final KeyCounts counts;
    private final FeedFollower follower;
    private final WriteSet writes;
    private final DamagedRows damaged = new DamagedRows();

    /** The follower's mark taken when each flushed database was first seen. */
    private final Map<Integer, Long> marks = new HashMap<>();

    Dropper(RedisTables tables, KeyCounts counts, FeedFollower follower) {
        this.tables = tables;
        this.counts = counts;
        this.follower = follower;
        this.writes = new WriteSet(tables.store());
    }

    /** Deletes up to {@code max} keys; returns how many. */
    int step(int max) {
        BitSet dropped = tables.databases().dropped();
        int deleted = 0;
        for (int db = dropped.nextSetBit(0); db >= 0 && deleted < max; db = dropped.nextSetBit(db + 1)) {
            if (!follower.hasPassed(marks.computeIfAbsent(db, flushed -> follower.mark()))) {
                continue;
            }
            for (int part = 0; part < tables.partCount() && deleted < max; part++) {
                deleted += delete(db, part, max - deleted);
            }
            if (deleted < max) {
                giveBack(db);
            }
        }
        return deleted;
    }

    private int delete(int db, int part, int max) {
        int deleted = 0;
        Bytes last = Bytes.EMPTY;
        Bytes database = Layout.database(db);
        try (Cursor rows =
                tables.store().scan(tables.keys(part), KeyRange.partition(database), Direction.FORWARD, max)) {
            while (rows.next()) {
                last = rows.key();
                deleteDependents(db, part, last, rows.value());
                deleted++;
            }
            if (deleted > 0) {
                Bytes end = last.concat(Bytes.of(new byte[1]));
                writes.deleteRange(tables.keys(part), new KeyRange(database, end, database.length()));
                DataUsage usage = tables.usage();
                long growth = usage.isCounting() ? usage.growth(writes) : 0;
                writes.commit();
                usage.add(growth);
                tables.mayHaveGarbage(true);
            }
        } finally {
            writes.clear();
        }
        return deleted;
    }

    /**
     * Deletes what belongs to a key. A damaged header does not say what that is, and its row is deleted alone: the
     * expirer deletes the row of its deadline when that is due, the repair its elements.
     */
    private void deleteDependents(int db, int part, Bytes row, Bytes value) {
        Header header;
        try {
            header = decode(part, value);
        } catch (StoreException failed) {
            if (!DamagedRows.isDamage(failed)) {
                throw failed;
            }
            damaged.add(tables.keys(part), row, failed);
            return;
        }
        if (header.hasDeadline()) {
            writes.delete(tables.expiries(part), Layout.expiry(header.expireAt(), db, Layout.redisKey(row)));
        }
        if (header instanceof CollectionHeader collection) {
            writes.put(
                    tables.garbage(collection.home()),
                    Layout.garbage(collection.id()),
                    Garbage.of(collection).row());
        }
    }

    private Header decode(int part, Bytes value) {
        Header header = Header.decode(value);
        // One batch deletes the key and notes its garbage, so both must be in the same partition.
        if (header instanceof CollectionHeader collection
                && (collection.home() >= tables.partCount()
                        || !tables.garbage(collection.home()).equals(tables.garbage(part)))) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "Elements of a key are in a shard that does not exist",
                    Map.of("shard", collection.home()));
        }
        return header;
    }

    /** Frees the number for reuse. Whoever changes the databases holds all stripes. */
    private void giveBack(int db) {
        // Otherwise a crash could bring the rows back after the number was reused.
        tables.awaitDurable(tables.store().latest());
        Stripes stripes = tables.store().stripes();
        stripes.lockEverything();
        try {
            counts.reset(db);
            Databases next = tables.databases().reclaim(db);
            tables.writeDatabases(writes, next);
            writes.commit();
            tables.publish(next);
            marks.remove(db);
        } finally {
            writes.clear();
            stripes.unlockEverything();
        }
    }
}
