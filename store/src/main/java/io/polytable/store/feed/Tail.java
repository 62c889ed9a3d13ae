package io.polytable.store.feed;

import io.polytable.store.log.LogReader;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log's tail: the newest commits to subscribed tables, decoded, bounded in bytes. It exists only while there are
 * feeds. Under the feeds' lock.
 */
final class Tail {
    /** If the first feed is further behind than this, it reads the log itself. */
    private static final long START_RECORDS_MAX = 10_000;

    /** The most records decoded before other threads get the lock. */
    private static final int TURN_RECORDS = 256;

    /** The start of old values of a table without any. */
    static final long NEVER = Long.MAX_VALUE;

    private final LongFunction<ReaderPool.Lease> readers;
    private final long bytesMax;
    private final LongSupplier durable;
    private final LongFunction<Position> positions;
    private final OldValues oldValues;
    private final FeedWaiters waiting;
    private final CommitDecoder decoder = new CommitDecoder();
    private final TreeMap<Long, TailCommit> commits = new TreeMap<>();
    private final Map<Integer, Interest> interests = new HashMap<>();
    private final Map<Integer, Table> plainTables = new HashMap<>();
    private final Map<Integer, Table> oldTables = new HashMap<>();
    private ReaderPool.@Nullable Lease lease;

    /** In use, during a turn. */
    private @Nullable LogReader reader;

    private long bytes;
    private long decodedTo;

    /** Commits up to this record may be missing. */
    private long missingTo;

    /** The subscriptions of a table, and the records from which the tail has its changes. */
    private static final class Interest {
        private int feeds;
        private int oldFeeds;
        private long since;
        private long oldSince = NEVER;
    }

    /**
     * The outcome of one turn for a feed.
     *
     * @param isCutShort nothing found yet, but records are left
     */
    record Turn(@Nullable TailCommit found, boolean isCutShort) {
        private static final Turn NOTHING = new Turn(null, false);
        private static final Turn CUT_SHORT = new Turn(null, true);
    }

    /** @param readers opens a reader at a position, in use */
    Tail(
            LongFunction<ReaderPool.Lease> readers,
            long bytesMax,
            LongSupplier durable,
            LongFunction<Position> positions,
            OldValues oldValues,
            FeedWaiters waiting) {
        this.readers = readers;
        this.bytesMax = bytesMax;
        this.durable = durable;
        this.positions = positions;
        this.oldValues = oldValues;
        this.waiting = waiting;
    }

    /** Subscribes the feed; returns the record from which on the tail has its changes. */
    long join(TailFeed feed) {
        boolean first = interests.isEmpty();
        if (first) {
            start(feed.passed());
        }
        long old = feed.withOld() ? beginOldOrClose(feed, first) : 0;
        for (Map.Entry<Integer, Table> table : feed.tables().entrySet()) {
            Interest interest = interests.computeIfAbsent(table.getKey(), id -> new Interest());
            if (interest.feeds++ == 0) {
                interest.since = decodedTo;
                plainTables.put(table.getKey(), table.getValue());
            }
            if (feed.withOld() && interest.oldFeeds++ == 0) {
                interest.oldSince = old;
                oldTables.put(table.getKey(), table.getValue());
            }
        }
        return Math.max(old, joinsAt(feed));
    }

    private void start(long from) {
        long end = durable.getAsLong();
        decodedTo = end - from <= START_RECORDS_MAX ? Math.min(from, end) : end;
        missingTo = decodedTo;
        // A feed without tables may have opened one elsewhere.
        closeReader();
        LogReader unusedOpen = reader();
        endTurn();
    }

    private long beginOldOrClose(TailFeed feed, boolean first) {
        try {
            return beginOld(feed);
        } catch (RuntimeException e) {
            if (first) {
                close();
            }
            throw e;
        }
    }

    /**
     * The record at which old values begin for the feed's tables. Zero if they are known already, unless the tail is
     * far behind the feed: then the feed begins at a newer snapshot, which the tail can skip to.
     */
    private long beginOld(TailFeed feed) {
        boolean known = feed.tables().keySet().stream().allMatch(id -> oldSince(id) != NEVER);
        if (known) {
            boolean isFar = feed.passed() - decodedTo > START_RECORDS_MAX;
            return isFar ? oldValues.beginAhead(feed.passed()) : 0;
        }
        long begins = oldValues.begin();
        // Expired feeds may have left their tables without a start.
        interests.values().forEach(interest -> {
            if (interest.oldFeeds > 0 && interest.oldSince == NEVER) {
                interest.oldSince = begins;
            }
        });
        return begins;
    }

    void leave(TailFeed feed) {
        for (int id : feed.tables().keySet()) {
            Interest interest = interests.get(id);
            if (interest != null) {
                if (feed.withOld() && --interest.oldFeeds == 0) {
                    interest.oldSince = NEVER;
                    oldTables.remove(id);
                }
                if (--interest.feeds == 0) {
                    interests.remove(id);
                    plainTables.remove(id);
                }
            }
        }
        if (oldTables.isEmpty()) {
            oldValues.end();
        }
        if (interests.isEmpty()) {
            close();
        }
    }

    private long joinsAt(TailFeed feed) {
        long joins = missingTo;
        for (int id : feed.tables().keySet()) {
            Interest interest = interests.getOrDefault(id, new Interest());
            joins = Math.max(joins, feed.withOld() ? interest.oldSince : interest.since);
        }
        return joins;
    }

    boolean covers(TailFeed feed) {
        return feed.passed() >= joinsAt(feed);
    }

    /**
     * Whether there is a commit for the feed. If that takes more than a turn to find out, the feed is woken when it is
     * known.
     */
    boolean hasNext(TailFeed feed) {
        Turn turn = next(feed);
        if (turn.isCutShort()) {
            waiting.signal();
        }
        return turn.found() != null;
    }

    /** The feed's next commit, decoding at most one turn. */
    Turn next(TailFeed feed) {
        try {
            return search(feed);
        } finally {
            endTurn();
        }
    }

    private Turn search(TailFeed feed) {
        int turn = TURN_RECORDS;
        while (covers(feed)) {
            Map.Entry<Long, TailCommit> entry = commits.higherEntry(feed.passed());
            if (entry == null) {
                feed.skipTo(decodedTo);
                if (turn-- == 0) {
                    return Turn.CUT_SHORT;
                }
                if (!advance()) {
                    return Turn.NOTHING;
                }
            } else if (entry.getValue().of(feed.tables(), feed.withOld()).isEmpty()) {
                feed.skipTo(entry.getKey());
            } else {
                return new Turn(entry.getValue(), false);
            }
        }
        return Turn.NOTHING;
    }

    /** Decodes one turn; returns whether there may be more. */
    boolean advanceSome() {
        try {
            for (int i = 0; i < TURN_RECORDS; i++) {
                if (!advance()) {
                    return false;
                }
            }
            return true;
        } finally {
            endTurn();
        }
    }

    /** Decodes the next durable record; returns whether there was one. */
    private boolean advance() {
        if (interests.isEmpty() || decodedTo >= durable.getAsLong()) {
            return false;
        }
        LogReader records;
        try {
            records = reader();
            if (!records.next()) {
                return false;
            }
        } catch (StoreException e) {
            if (e.error() != StoreError.POSITION_EXPIRED) {
                throw e;
            }
            restart();
            return true;
        }
        try {
            take(records);
        } catch (RuntimeException | Error e) {
            // The reader is past a record that the tail lacks: feeds read it from the log themselves.
            restart();
            throw e;
        }
        oldValues.renew();
        return true;
    }

    private void take(LogReader record) {
        oldValues.reached(decodedTo);
        long position = record.position();
        List<Change> plain = decoder.decode(record, positions.apply(position), plainTables);
        if (plain.isEmpty()) {
            decodedTo = position;
            return;
        }
        TailCommit commit = TailCommit.of(position, plain, old(plain, decodedTo));
        decodedTo = position;
        commits.put(position, commit);
        bytes += commit.bytes();
        while (bytes > bytesMax && !commits.isEmpty()) {
            Map.Entry<Long, TailCommit> oldest = commits.pollFirstEntry();
            bytes -= oldest.getValue().bytes();
            missingTo = oldest.getKey();
        }
        plain.forEach(change -> waiting.wake(change.table().id()));
    }

    /** The commit's changes with old values, for tables whose old values were known before it. */
    private List<Change> old(List<Change> plain, long before) {
        if (oldTables.isEmpty()) {
            return List.of();
        }
        List<Change> wanted = plain.stream()
                .filter(change -> oldTables.containsKey(change.table().id())
                        && oldSince(change.table().id()) <= before)
                .toList();
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<Change> known = oldValues.before(wanted);
        if (known == null) {
            resumeOldAfter(oldValues.skipToNext());
            return List.of();
        }
        return known;
    }

    private long oldSince(int table) {
        Interest interest = interests.get(table);
        return interest == null ? NEVER : interest.oldSince;
    }

    /**
     * Restarts at the end after records were lost to the tail, because the log released them or they could not be
     * decoded.
     */
    private void restart() {
        closeReader();
        commits.clear();
        bytes = 0;
        decodedTo = durable.getAsLong();
        missingTo = decodedTo;
        forgetOld();
        waiting.wakeAll();
    }

    /** Expires all feeds with old values. */
    void forgetOld() {
        oldValues.end();
        resumeOldAfter(NEVER);
    }

    /** Expires feeds with old values that have not passed the record. */
    private void resumeOldAfter(long record) {
        interests.values().forEach(interest -> interest.oldSince = interest.oldFeeds == 0 ? NEVER : record);
        waiting.wakeAll();
    }

    /** The reader, which stands after the last decoded record; opened again if another partition has taken it. */
    private LogReader reader() {
        LogReader records = reader;
        if (records == null && lease != null) {
            records = lease.begin();
        }
        if (records == null) {
            ReaderPool.Lease opened = readers.apply(decodedTo + 1);
            lease = opened;
            records = Objects.requireNonNull(opened.begin());
        }
        reader = records;
        return records;
    }

    /** Other partitions may take the reader until the next turn. */
    private void endTurn() {
        if (reader != null && lease != null) {
            lease.end();
        }
        reader = null;
    }

    private void closeReader() {
        ReaderPool.Lease open = lease;
        reader = null;
        if (open != null) {
            lease = null;
            open.close();
        }
    }

    void close() {
        closeReader();
        oldValues.end();
        commits.clear();
        bytes = 0;
    }
}
