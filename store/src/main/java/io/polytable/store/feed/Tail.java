package io.polytable.store.feed;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.table.Change;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest commits that concern somebody, decoded, up to a bound of bytes. Under the feeds' lock. There is none while
 * nobody follows.
 */
final class Tail {
    /** A first follower that is further behind reads the log by itself. */
    private static final long START_RECORDS_MAX = 10_000;

    /** As many records are decoded at most before others get the lock. */
    private static final int TURN_RECORDS = 256;

    /** Of a table whose changes are not known with old values. */
    static final long NEVER = Long.MAX_VALUE;

    private final CommitLog log;
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
    private @Nullable LogReader reader;
    private long bytes;
    private long decodedTo;

    /** Commits up to here may be missing. */
    private long missingTo;

    /** Who follows a table, and since when the tail has its changes. */
    private static final class Interest {
        private int feeds;
        private int oldFeeds;
        private long since;
        private long oldSince = NEVER;
    }

    /**
     * What was found for a feed.
     *
     * @param isCutShort nothing as yet, but there are records left
     */
    record Turn(@Nullable TailCommit found, boolean isCutShort) {
        private static final Turn NOTHING = new Turn(null, false);
        private static final Turn CUT_SHORT = new Turn(null, true);
    }

    Tail(
            CommitLog log,
            long bytesMax,
            LongSupplier durable,
            LongFunction<Position> positions,
            OldValues oldValues,
            FeedWaiters waiting) {
        this.log = log;
        this.bytesMax = bytesMax;
        this.durable = durable;
        this.positions = positions;
        this.oldValues = oldValues;
        this.waiting = waiting;
    }

    /** Counts the feed in; answers from which record on the tail has what it wants. */
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
        reader = log.read(decodedTo + 1);
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
     * Where tables begin whose old values nobody has asked for so far; and where the feed begins if the others are far
     * behind it, since they need not get there.
     */
    private long beginOld(TailFeed feed) {
        boolean known = feed.tables().keySet().stream().allMatch(id -> oldSince(id) != NEVER);
        if (known) {
            boolean isFar = feed.passed() - decodedTo > START_RECORDS_MAX;
            return isFar ? oldValues.beginAhead(feed.passed()) : 0;
        }
        long begins = oldValues.begin();
        // Those who expired before may have left theirs without a beginning.
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

    /** Whether there is a commit for the feed; where that takes more than a turn, the feed is woken when it is known. */
    boolean hasNext(TailFeed feed) {
        Turn turn = next(feed);
        if (turn.isCutShort()) {
            waiting.signal();
        }
        return turn.found() != null;
    }

    /** The next commit for the feed among what was decoded and one turn more. */
    Turn next(TailFeed feed) {
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

    /** Decodes the records of one turn; answers whether there may be more. */
    boolean advanceSome() {
        for (int i = 0; i < TURN_RECORDS; i++) {
            if (!advance()) {
                return false;
            }
        }
        return true;
    }

    /** Decodes the next durable record; answers whether there was one. */
    private boolean advance() {
        if (interests.isEmpty() || decodedTo >= durable.getAsLong()) {
            return false;
        }
        LogReader records;
        try {
            records = reader == null ? log.read(decodedTo + 1) : reader;
            reader = records;
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
            // The reader is past a record that the tail does not have: who follows it reads that from the log.
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

    /** The changes of tables whose old values were known before the commit. */
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

    /** The log has let go of what the tail had not decoded yet. */
    private void restart() {
        closeReader();
        commits.clear();
        bytes = 0;
        decodedTo = durable.getAsLong();
        missingTo = decodedTo;
        forgetOld();
        waiting.wakeAll();
    }

    /** Whoever follows old values has to start again. */
    void forgetOld() {
        oldValues.end();
        resumeOldAfter(NEVER);
    }

    /** Who has not passed the record has to start again. */
    private void resumeOldAfter(long record) {
        interests.values().forEach(interest -> interest.oldSince = interest.oldFeeds == 0 ? NEVER : record);
        waiting.wakeAll();
    }

    private void closeReader() {
        LogReader records = reader;
        if (records != null) {
            reader = null;
            records.close();
        }
    }

    void close() {
        closeReader();
        oldValues.end();
        commits.clear();
        bytes = 0;
    }
}
