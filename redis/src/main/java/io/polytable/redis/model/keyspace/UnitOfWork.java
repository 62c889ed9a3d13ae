package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.change.UnitChanges;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Stripes;
import io.polytable.table.WriteSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one command, or one transaction of several, reads and writes before it is committed as one. A worker keeps one
 * and uses it again and again:
 *
 * <pre>
 * take the stripes of the keys
 * unit.begin(now, true)
 * ... unit.space(database) to the model, as often as needed ...
 * unit.commit(), or unit.abandon() after an error
 * let the stripes go
 * </pre>
 *
 * Not thread safe.
 */
public final class UnitOfWork {
    private final RedisTables tables;
    private final ReadBudget budget;

    /** For expired keys that a reader meets; made when there is one. */
    private @Nullable UnitOfWork removals;

    private final KeyCounts counts;
    private final UnitChanges changes;
    private final BudgetedReader reads;
    private final WriteSet writes;
    private final Space[] spaces = new Space[Databases.COUNT];
    private final Lookups.Count lookups;
    private final KeyCounts.Delta[] deltas = new KeyCounts.Delta[Databases.PHYSICAL_COUNT];
    private final int[] counted = new int[Databases.PHYSICAL_COUNT];
    private final boolean[] isCounted = new boolean[Databases.PHYSICAL_COUNT];
    private int countedLength;
    private int expiredKeys;
    private @Nullable Databases changedDatabases;
    private long nowMillis;
    private boolean writing;
    private boolean marksUse = true;
    private boolean leavesGarbage;
    private int epoch;

    UnitOfWork(RedisTables tables, KeyCounts counts, KeyChanges listeners, ReadBudget budget) {
        this.tables = tables;
        this.counts = counts;
        this.changes = new UnitChanges(listeners);
        this.lookups = counts.lookups().newCount();
        Arrays.setAll(deltas, database -> new KeyCounts.Delta());
        this.budget = budget;
        this.reads = new BudgetedReader(tables.store(), budget);
        this.writes = new WriteSet(tables.store(), reads);
    }

    /**
     * Starts with nothing written, at a moment that stays the same until the end. Who is not {@code writing} does not
     * see expired keys; who is, also removes those it meets.
     */
    public void begin(long startMillis, boolean isWriting) {
        begin(startMillis, isWriting, Origin.BACKGROUND);
    }

    /** As {@link #begin(long, boolean)}; who hears of the changes is told whose they are. */
    public void begin(long startMillis, boolean isWriting, Origin origin) {
        changes.begin(origin);
        reads.release();
        nowMillis = startMillis;
        writing = isWriting;
        marksUse = origin.marksUse();
        epoch++;
    }

    /** Whether a look at a key counts as a use of it. */
    boolean marksUse() {
        return marksUse;
    }

    /** The next command of the unit writes, or only reads. */
    public void continueAs(boolean isWriting) {
        if (!writing || !isWriting) {
            // Who reads takes an expired key for absent; who writes must see it, to remove it. And each read counts,
            // and
            // tells of a miss, as if it were alone.
            epoch++;
        }
        writing = isWriting;
    }

    /** The database that a client selects by this number. */
    public Space space(int database) {
        Space space = spaces[database];
        if (space == null) {
            space = new Space(this, database);
            spaces[database] = space;
        }
        return space;
    }

    public boolean isEmpty() {
        return writes.isEmpty();
    }

    /** Commits what was written, if anything was; the unit is empty afterwards also when that fails. */
    public Commit commit() {
        try {
            Commit commit = writes.commit();
            if (changedDatabases != null) {
                tables.awaitDurable(commit);
            }
            publish();
            changes.publish(commit);
            return commit;
        } finally {
            forget();
        }
    }

    /** Forgets what was written. */
    public void abandon() {
        writes.clear();
        forget();
    }

    /** Marks the present state: what one command of a transaction writes can then be undone alone. */
    public Savepoint savepoint() {
        KeyCounts.Delta[] counts = new KeyCounts.Delta[countedLength];
        for (int i = 0; i < countedLength; i++) {
            counts[i] = new KeyCounts.Delta();
            counts[i].set(deltas[counted[i]]);
        }
        return new Savepoint(writes.mark(), changes.mark(), counts, expiredKeys, changedDatabases, leavesGarbage);
    }

    /** Undoes everything since the savepoint, also what would have been told to listeners. */
    public void rollBackTo(Savepoint savepoint) {
        writes.rollBackTo(savepoint.writes);
        changes.rollBackTo(savepoint.changes);
        for (int i = 0; i < countedLength; i++) {
            if (i < savepoint.counts.length) {
                deltas[counted[i]].set(savepoint.counts[i]);
            } else {
                deltas[counted[i]].clear();
            }
        }
        expiredKeys = savepoint.expiredKeys;
        changedDatabases = savepoint.changedDatabases;
        leavesGarbage = savepoint.leavesGarbage;
        epoch++;
    }

    /** A state of the unit, valid until its next commit or {@link #abandon()}. */
    public static final class Savepoint {
        private final WriteSet.Mark writes;
        private final int changes;
        private final KeyCounts.Delta[] counts;
        private final int expiredKeys;
        private final @Nullable Databases changedDatabases;
        private final boolean leavesGarbage;

        private Savepoint(
                WriteSet.Mark writes,
                int changes,
                KeyCounts.Delta[] counts,
                int expiredKeys,
                @Nullable Databases changedDatabases,
                boolean leavesGarbage) {
            this.writes = writes;
            this.changes = changes;
            this.counts = counts;
            this.expiredKeys = expiredKeys;
            this.changedDatabases = changedDatabases;
            this.leavesGarbage = leavesGarbage;
        }
    }

    private void publish() {
        if (leavesGarbage) {
            tables.garbageWaits(true);
        }
        for (int i = 0; i < countedLength; i++) {
            counts.add(counted[i], deltas[counted[i]]);
        }
        if (expiredKeys > 0) {
            lookups.expired(expiredKeys);
        }
        Databases changed = changedDatabases;
        if (changed != null) {
            tables.publish(changed);
        }
    }

    /** Whoever ran the unit needs nothing of what it read any more: the reply is on its way. */
    public void release() {
        reads.release();
    }

    /** What the unit read is a reply that waits to be written: it stays in the budget until the answered action runs. */
    public Runnable handOnReads() {
        return reads.handOn();
    }

    private void forget() {
        for (int i = 0; i < countedLength; i++) {
            deltas[counted[i]].clear();
            isCounted[counted[i]] = false;
        }
        countedLength = 0;
        expiredKeys = 0;
        changes.clear();
        changedDatabases = null;
        leavesGarbage = false;
        epoch++;
    }

    /** Notes that nobody can reach the collection's elements any more. */
    void leave(CollectionHeader gone) {
        writes.put(
                tables.garbage(gone.home()),
                Layout.garbage(gone.id()),
                Garbage.of(gone).row());
        leavesGarbage = true;
    }

    /** What this unit has changed so far. */
    public UnitChanges changes() {
        return changes;
    }

    /** The key came or went. */
    void count(int physicalDatabase, int delta) {
        delta(physicalDatabase).keys(delta);
    }

    /** The key's deadline changed; {@link Header#NEVER} for none. */
    void moveDeadline(int physicalDatabase, long from, long to) {
        counts.moveDeadline(delta(physicalDatabase), from, to);
    }

    private KeyCounts.Delta delta(int physicalDatabase) {
        if (!isCounted[physicalDatabase]) {
            isCounted[physicalDatabase] = true;
            counted[countedLength++] = physicalDatabase;
        }
        return deltas[physicalDatabase];
    }

    /** A key was looked for; only who reads counts that, as in Redis. */
    void looked(int database, Bytes key, boolean present, boolean quiet) {
        if (!writing) {
            lookups.read(present);
            if (!present && !quiet) {
                changes.missed(database, key);
            }
        }
    }

    /**
     * A reader met an expired key. While somebody listens it is removed at once, as in Redis, so that they hear of it now;
     * otherwise, or when another thread is busy with the key, the background removes it.
     */
    void removeExpired(int database, Bytes key) {
        Stripes stripes = tables.store().stripes();
        int stripe = new KeyStripes(stripes).of(key);
        if (!changes.isHeard() || writing || !stripes.tryLock(stripe)) {
            return;
        }
        UnitOfWork removal = removals;
        if (removal == null) {
            removal = new UnitOfWork(tables, counts, changes.listeners(), budget);
            removals = removal;
        }
        try {
            removal.begin(nowMillis, true, changes.origin());
            // A unit that writes removes the expired keys it meets.
            removal.space(database).header(key);
            removal.commit();
        } finally {
            removal.abandon();
            removal.release();
            stripes.unlock(stripe);
        }
    }

    /** A key is removed since its time is over. */
    void expires() {
        expiredKeys++;
    }

    long keyCount(int physicalDatabase) {
        return counts.of(physicalDatabase) + deltas[physicalDatabase].keys();
    }

    long expiringCount(int physicalDatabase) {
        return counts.expiring(physicalDatabase);
    }

    long averageLifeMillis(int physicalDatabase) {
        return counts.averageLifeMillis(physicalDatabase, nowMillis);
    }

    /** Also true when nobody has counted yet. */
    boolean mayHaveMoreKeysThan(int physicalDatabase, long limit) {
        return !counts.isReady() || keyCount(physicalDatabase) > limit;
    }

    public Databases databases() {
        Databases changed = changedDatabases;
        return changed == null ? tables.databases() : changed;
    }

    /** Changes which databases there are; all stripes are held. */
    public void changeDatabases(Databases next) {
        tables.writeDatabases(writes, next);
        changedDatabases = next;
        epoch++;
    }

    public RedisTables tables() {
        return tables;
    }

    public WriteSet writes() {
        return writes;
    }

    /** To be called before something is kept that was read as a slice. */
    void keeps(long bytes) {
        reads.countObject(bytes);
    }

    /** How much it has read so far that may be a part of replies. */
    public long readBytes() {
        return reads.readBytes();
    }

    /**
     * Counts a reply that is kept until the unit ends, as far as it is larger than what was read for it.
     *
     * @throws RedisError OOM when all that run at the same time would hold too much
     */
    public void keepsReply(long replyBytes, long readBefore) {
        reads.count(Math.max(0, replyBytes - (reads.readBytes() - readBefore)));
    }

    /** Nothing is kept of what was read since so much was. */
    public void forgetReads(long readBefore) {
        reads.forget(readBefore);
    }

    long nowMillis() {
        return nowMillis;
    }

    boolean isWriting() {
        return writing;
    }

    /** Another number whenever something remembered of the rows may no longer hold. */
    int epoch() {
        return epoch;
    }
}
