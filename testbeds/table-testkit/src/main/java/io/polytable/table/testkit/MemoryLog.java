package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.feed.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The commits of a {@link MemoryStore}, numbered from one; the oldest are dropped beyond a limit. Guarded by the
 * store's lock.
 */
final class MemoryLog {
    private static final long INCARNATION = 1;

    /** One row of a commit, as it was put into the batch. */
    record Entry(
            Change.Kind kind,
            MemoryTable table,
            Bytes key,
            Optional<Bytes> value,
            Optional<Bytes> before,
            Optional<Bytes> end) {}

    /** A commit, and the same with old values. */
    record Entries(Origin origin, List<Entry> plain, List<Entry> old) {}

    private final int commitsMax;
    private final NavigableMap<Long, Entries> commits = new TreeMap<>();
    private long last;

    MemoryLog(int commitsMax) {
        this.commitsMax = commitsMax;
    }

    long append(Origin origin, List<Entry> plain, List<Entry> old) {
        last++;
        commits.put(last, new Entries(origin, List.copyOf(plain), List.copyOf(old)));
        if (commits.size() > commitsMax) {
            commits.pollFirstEntry();
        }
        return last;
    }

    void forgetAll() {
        commits.clear();
    }

    long last() {
        return last;
    }

    /** The next commit after {@code number}, and its changes of the tables; empty if there is none. */
    Optional<Step> next(long number, Set<MemoryTable> tables, boolean withOld) {
        if (number >= last) {
            return Optional.empty();
        }
        Entries entries = commits.get(number + 1);
        if (entries == null) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED, "The log no longer holds the next change", Map.of("after", number));
        }
        return Optional.of(new Step(number + 1, changes(number + 1, entries, tables, withOld)));
    }

    /** A commit, and the changes that a feed shows of it. */
    record Step(long number, List<Change> changes) {}

    private static List<Change> changes(long number, Entries commit, Set<MemoryTable> tables, boolean withOld) {
        List<Entry> wanted = (withOld ? commit.old() : commit.plain())
                .stream().filter(entry -> tables.contains(entry.table())).toList();
        List<Change> changes = new ArrayList<>(wanted.size());
        for (Entry entry : wanted) {
            boolean isLast = changes.size() == wanted.size() - 1;
            changes.add(new Change(
                    entry.kind(),
                    entry.table(),
                    entry.key(),
                    entry.value(),
                    entry.before(),
                    entry.end(),
                    positionAfter(number),
                    commit.origin(),
                    isLast));
        }
        return changes;
    }

    static Position positionAfter(long number) {
        return Position.of(INCARNATION, number);
    }

    long numberOf(Position position) {
        if (position.equals(Position.START)) {
            return 0;
        }
        Position.Part part = position.parts(1).get(0);
        if (part.incarnation() == INCARNATION && part.record() >= 0 && part.record() <= last) {
            return part.record();
        }
        throw new StoreException(StoreError.BAD_POSITION, "Not a position of this store", Map.of("position", position));
    }
}
