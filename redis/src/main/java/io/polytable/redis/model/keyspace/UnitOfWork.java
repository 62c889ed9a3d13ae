package io.polytable.redis.model.keyspace;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.change.UnitChanges;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Reader;
import io.polytable.table.Stripes;
import io.polytable.table.write.WriteSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of one command, or of a transaction of several, committed as one batch. A worker keeps one
 * unit and reuses it:
 *
 * <pre>
 * take the stripes of the keys
 * unit.begin(now, true)
 * ... unit.space(database) to the model, as often as needed ...
 * unit.commit(), or unit.abandon() after an error
 * let the stripes go
 * </pre>
 *
 * Whoever does not keep the unit as long as the key space closes it. Not thread safe.
 */
public final class UnitOfWork implements AutoCloseable {
    private final RedisTables tables;
    private final @Nullable Databases frozen;
    private final Budget budget;

    /** Removes expired keys that a reader meets; created on first use. */
    private @Nullable UnitOfWork removals;

    private final KeyCounts counts;
    private final UnitChanges changes;
    private final BudgetedReader reads;
    private final WriteSet writes;
    private final Space[] spaces = new Space[Databases.COUNT];
    private final Lookups.Count lookups;
    private long changedKeys;
    private Bytes lastChanged = Bytes.EMPTY;
    private final KeyCounts.Delta[] deltas = new KeyCounts.Delta[Databases.PHYSICAL_COUNT];
    private final int[] counted = new int[Databases.PHYSICAL_COUNT];
    private final boolean[] isCounted = new boolean[Databases.PHYSICAL_COUNT];
    private int countedLength;
    private @Nullable CommitFollower follower;
    private final Map<Long, Owner> owners = new HashMap<>(0);
    private int expiredKeys;
    private @Nullable Databases changedDatabases;
    private @Nullable Libraries changedLibraries;
    private long nowMillis;
    private Optional<PrimaryPosition> primary = Optional.empty();
    private boolean writing;
    private boolean marksUse = true;
    private boolean leavesGarbage;
    private int epoch;

    UnitOfWork(RedisTables tables, KeyCounts counts, KeyChanges listeners, Budget budget) {
        this(tables, tables.store(), null, counts, listeners, budget);
    }

    /**
     * A unit that reads from elsewhere, such as a snapshot, and must not write.
     *
     * @param frozen the databases as this reader shows them
     */
    UnitOfWork(
            RedisTables tables,
            Reader source,
            @Nullable Databases frozen,
            KeyCounts counts,
            KeyChanges listeners,
            Budget budget) {
        this.tables = tables;
        this.frozen = frozen;
        this.counts = counts;
        this.changes = new UnitChanges(listeners);
        this.lookups = counts.lookups().newCount();
        Arrays.setAll(deltas, database -> new KeyCounts.Delta());
        this.budget = budget;
        this.reads = new BudgetedReader(source, budget);
        this.writes = new WriteSet(tables.store(), reads);
    }

    /**
     * Starts a unit with no writes, at a moment that stays fixed until its end. A unit that is not {@code writing}
     * reads expired keys as absent; one that is also removes those it meets.
     */
    public void begin(long startMillis, boolean isWriting) {
        begin(startMillis, isWriting, Origin.BACKGROUND);
    }

    /** As {@link #begin(long, boolean)}, with the origin for listeners. */
    public void begin(long startMillis, boolean isWriting, Origin origin) {
        changes.begin(origin);
        reads.release();
        nowMillis = startMillis;
        writing = isWriting;
        marksUse = origin.marksUse();
        primary = origin.primary();
        follower = tables.follower();
        epoch++;
    }

    /** Notes the key of a collection, for followers of the commit. */
    void owns(long id, int physicalDatabase, Bytes key) {
        if (follower != null) {
            owners.put(id, new Owner(physicalDatabase, key));
        }
    }

    /** The key that a collection was looked up under, in this unit. */
    public Optional<Owner> owner(long id) {
        return Optional.ofNullable(owners.get(id));
    }

    /** A key in a physical database. */
    public record Owner(int physicalDatabase, Bytes key) {}

    /** Whether a lookup counts as a use of the key. */
    boolean marksUse() {
        return marksUse;
    }

    /** Continues with the next command of the transaction, which writes or only reads. */
    public void continueAs(boolean isWriting) {
        if (!writing || !isWriting) {
            // A reader treats an expired key as absent; a writer must see it, to remove it. And each read counts, and
            // reports a miss, as if it were alone.
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

    /** Commits the writes, if there are any; the unit is empty afterwards even if that fails. */
    public Commit commit() {
        try {
            if (primary.isPresent() && !primary.get().isLoading() && !writes.isEmpty()) {
                follow(primary);
            }
            DataUsage usage = tables.usage();
            long growth = usage.isCounting() ? usage.growth(writes) : 0;
            CommitFollower follows = follower;
            Runnable followed = follows == null || writes.isEmpty() ? () -> {} : follows.beforeCommit(this);
            Commit commit = writes.commit();
            followed.run();
            if (growth != 0) {
                usage.add(growth);
            }
            if (changedDatabases != null) {
                tables.awaitDurable(commit);
            }
            publish();
            lookups.changed(changedKeys);
            changes.publish(commit);
            return commit;
        } finally {
            forget();
        }
    }

    /** Counts the key once, though a command may report several events of it. */
    void countChange(Bytes key) {
        if (changedKeys == 0 || !key.equals(lastChanged)) {
            changedKeys++;
            lastChanged = key;
        }
    }

    /** Discards the writes. */
    public void abandon() {
        writes.clear();
        forget();
    }

    /** Marks the current state, so that the writes of one command of a transaction can be undone alone. */
    public Savepoint savepoint() {
        KeyCounts.Delta[] counts = new KeyCounts.Delta[countedLength];
        for (int i = 0; i < countedLength; i++) {
            counts[i] = new KeyCounts.Delta();
            counts[i].set(deltas[counted[i]]);
        }
        return new Savepoint(
                writes.mark(), changes.mark(), counts, expiredKeys, changedDatabases, changedLibraries, leavesGarbage);
    }

    /** Undoes everything since the savepoint, including changes not yet reported to listeners. */
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
        changedLibraries = savepoint.changedLibraries;
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
        private final @Nullable Libraries changedLibraries;
        private final boolean leavesGarbage;

        private Savepoint(
                WriteSet.Mark writes,
                int changes,
                KeyCounts.Delta[] counts,
                int expiredKeys,
                @Nullable Databases changedDatabases,
                @Nullable Libraries changedLibraries,
                boolean leavesGarbage) {
            this.writes = writes;
            this.changes = changes;
            this.counts = counts;
            this.expiredKeys = expiredKeys;
            this.changedDatabases = changedDatabases;
            this.changedLibraries = changedLibraries;
            this.leavesGarbage = leavesGarbage;
        }
    }

    private void publish() {
        if (leavesGarbage) {
            tables.mayHaveGarbage(true);
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
        Libraries changedCode = changedLibraries;
        if (changedCode != null) {
            tables.publish(changedCode);
        }
    }

    /** Gives back what the unit read: the reply has been handed over. */
    public void release() {
        reads.release();
    }

    /** Keeps the unit's reads charged while its reply waits to be written, until the returned action runs. */
    public Runnable handOnReads() {
        return reads.handOn();
    }

    /** Ends the use of the unit, discarding writes that were not committed. Its lookups stay counted. */
    @Override
    public void close() {
        abandon();
        release();
        counts.lookups().close(lookups);
        UnitOfWork removal = removals;
        if (removal != null) {
            removal.close();
        }
    }

    private void forget() {
        for (int i = 0; i < countedLength; i++) {
            deltas[counted[i]].clear();
            isCounted[counted[i]] = false;
        }
        countedLength = 0;
        expiredKeys = 0;
        changedKeys = 0;
        lastChanged = Bytes.EMPTY;
        changes.clear();
        owners.clear();
        changedDatabases = null;
        changedLibraries = null;
        leavesGarbage = false;
        epoch++;
    }

    /** Marks the elements of an unreachable collection as garbage. */
    void addGarbage(CollectionHeader gone) {
        writes.put(
                tables.garbage(gone.home()),
                Layout.garbage(gone.id()),
                Garbage.of(gone).row());
        leavesGarbage = true;
    }

    /** The changes of this unit so far. */
    public UnitChanges changes() {
        return changes;
    }

    /** Counts a created or removed key. */
    void count(int physicalDatabase, int delta) {
        delta(physicalDatabase).keys(delta);
    }

    /** Counts a changed deadline; {@link Header#NEVER} for none. */
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

    /** Counts a lookup; as in Redis, only those of readers. */
    void looked(int database, Bytes key, boolean present, boolean noNotify) {
        if (!writing) {
            lookups.read(present);
            if (!present && !noNotify) {
                changes.missed(database, key);
            }
        }
    }

    /**
     * Removes an expired key that a reader met. With listeners this happens at once, as in Redis, so that they get the
     * event now. Otherwise, or when another thread holds the key's stripe, the background removes it.
     */
    void removeExpired(int database, Bytes key) {
        Stripes stripes = tables.store().stripes();
        int stripe = new KeyStripes(stripes).of(key);
        if (!changes.isRecording() || writing || tables.removal().isPaused(nowMillis) || !stripes.tryLock(stripe)) {
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

    /** Counts a key that is removed because the data exceeds its limit. */
    void evicts() {
        lookups.evicted();
    }

    /** Counts a key that is removed because it expired. */
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

    /** Also true while the keys are not counted yet. */
    boolean mayHaveMoreKeysThan(int physicalDatabase, long limit) {
        return !counts.isReady() || keyCount(physicalDatabase) > limit;
    }

    public int selectableDatabases() {
        return tables.selectableDatabases();
    }

    public Databases databases() {
        Databases known = changedDatabases == null ? frozen : changedDatabases;
        return known == null ? tables.databases() : known;
    }

    /** Replaces the databases; the caller holds all stripes. */
    public void changeDatabases(Databases next) {
        tables.writeDatabases(writes, next);
        changedDatabases = next;
        epoch++;
    }

    /** The function libraries, with the changes of this unit. */
    public Libraries libraries() {
        Libraries changed = changedLibraries;
        return changed == null ? tables.libraries() : changed;
    }

    /** Replaces the function libraries; the caller holds all stripes. */
    public void changeLibraries(Libraries next) {
        tables.writeLibraries(writes, libraries(), next);
        changedLibraries = next;
    }

    /** Follows a primary, from a place in its stream, or none any more. */
    public void follow(Optional<PrimaryPosition> next) {
        tables.writePrimary(writes, next);
    }

    public RedisTables tables() {
        return tables;
    }

    public WriteSet writes() {
        return writes;
    }

    /** Charges something that was read as a slice before it is kept. */
    void keeps(long bytes) {
        reads.countObject(bytes);
    }

    /** The bytes charged so far, which may be part of replies. */
    public long readBytes() {
        return reads.readBytes();
    }

    /**
     * Charges a reply that is kept until the unit ends, as far as it exceeds what was read for it.
     *
     * @throws RedisError OOM when all running commands would hold too much
     */
    public void keepsReply(long replyBytes, long readBefore) {
        reads.count(Math.max(0, replyBytes - (reads.readBytes() - readBefore)));
    }

    /** Uncharges what was read after {@code readBefore}, of which nothing is kept. */
    public void forgetReads(long readBefore) {
        reads.forget(readBefore);
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Whether the header's deadline has passed; never for a primary's changes. */
    boolean isExpired(Header header) {
        return primary.isEmpty() && header.isExpired(nowMillis);
    }

    /** Whether a new deadline would remove the key at once. */
    boolean isPast(long deadlineMillis) {
        return primary.isEmpty() && deadlineMillis <= nowMillis;
    }

    boolean isWriting() {
        return writing;
    }

    /** Changes whenever cached knowledge of rows may have become stale. */
    int epoch() {
        return epoch;
    }
}
