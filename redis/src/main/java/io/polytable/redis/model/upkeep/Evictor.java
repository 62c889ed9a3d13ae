package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.introspection.RowSizes;
import io.polytable.redis.model.keyspace.DataLimit;
import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.EvictionPolicy.Order;
import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.DeadlineQueue;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Removes keys while the data exceeds {@code maxmemory}, as Redis does: it compares a few random keys, remembers the
 * best candidates of earlier comparisons, and removes the best of all. Rows of keys are in the order of a keyed hash, so
 * the rows behind a random place are random keys. The key with the next deadline is the first of the deadlines' queue.
 */
final class Evictor {
    private static final int REMEMBERED_MAX = 16;

    /** Where few keys have a deadline, so many rows are searched for some before the deadlines themselves are. */
    private static final int ROWS_SEARCHED_MAX = 200;

    private static final int SIZE_SAMPLES = 5;

    private final RedisTables tables;
    private final DataUsage usage;
    private final UnitOfWork unit;
    private final RandomGenerator random;
    private final RowSizes sizes = new RowSizes();
    private final TreeSet<Candidate> remembered = new TreeSet<>(Candidate.BEST_FIRST);
    private DataLimit rememberedFor = DataLimit.NONE;

    /** @param worth the larger, the sooner the key goes */
    private record Candidate(int physicalDatabase, Bytes key, long worth) {
        static final Comparator<Candidate> BEST_FIRST = Comparator.comparingLong(Candidate::worth)
                .reversed()
                .thenComparingInt(Candidate::physicalDatabase)
                .thenComparing(Candidate::key);
    }

    Evictor(Keyspace keyspace, RandomGenerator random) {
        this.tables = keyspace.tables();
        this.usage = tables.usage();
        this.unit = keyspace.newUnit();
        this.random = random;
    }

    /** Removes up to {@code max} keys while there is too much data; returns how many. */
    int step(long nowMillis, int max) {
        int removed = 0;
        // A candidate may be gone by now, so tries are bounded too.
        for (int i = 0; i < max && usage.isOver(); i++) {
            Optional<Candidate> next = next(usage.limit(), nowMillis);
            if (next.isEmpty()) {
                usage.exhausted(true);
                return removed;
            }
            if (remove(next.get(), nowMillis)) {
                removed++;
                usage.exhausted(false);
            }
        }
        return removed;
    }

    private Optional<Candidate> next(DataLimit limit, long nowMillis) {
        if (!limit.equals(rememberedFor)) {
            remembered.clear();
            rememberedFor = limit;
        }
        List<Candidate> found = limit.policy().order() == Order.DEADLINE ? firstDeadlines() : sample(limit, nowMillis);
        remembered.addAll(found);
        Candidate best = remembered.pollFirst();
        while (remembered.size() > REMEMBERED_MAX) {
            remembered.pollLast();
        }
        return Optional.ofNullable(best);
    }

    /** The next deadline of each partition's queue. */
    private List<Candidate> firstDeadlines() {
        List<Candidate> first = new ArrayList<>();
        for (Table expiries : tables.expiryTables()) {
            addDeadlines(expiries, DeadlineQueue.all(), 1, first);
        }
        return first;
    }

    private List<Candidate> sample(DataLimit limit, long nowMillis) {
        List<Candidate> found = new ArrayList<>();
        Databases databases = tables.databases();
        for (int database = 0; database < Databases.COUNT; database++) {
            int physical = databases.physical(database);
            if (unitCount(database, nowMillis) > 0) {
                sample(limit, physical, found);
            }
        }
        if (found.isEmpty() && limit.policy().isExpiringOnly()) {
            for (Table expiries : tables.expiryTables()) {
                addDeadlines(expiries, fromRandomDeadline(expiries), limit.samples(), found);
            }
        }
        return found.stream()
                .map(each -> new Candidate(each.physicalDatabase, each.key, worth(limit, each, nowMillis)))
                .toList();
    }

    private long unitCount(int database, long nowMillis) {
        unit.begin(nowMillis, false);
        try {
            return unit.space(database).size();
        } finally {
            unit.abandon();
            unit.release();
        }
    }

    /** Some of the keys behind a random place, and from the beginning if there are too few. */
    private void sample(DataLimit limit, int physical, List<Candidate> found) {
        Table keys = tables.keys(random.nextInt(tables.partCount()));
        Bytes database = Layout.database(physical);
        Bytes place = Layout.key(physical, random.nextInt(), Bytes.EMPTY).bytes();
        KeyRange all = KeyRange.partition(database);
        int wanted = found.size() + limit.samples();
        collect(limit, keys, new KeyRange(place, all.to(), all.partitionLength()), wanted, found);
        if (found.size() < wanted) {
            collect(limit, keys, all, wanted, found);
        }
    }

    private void collect(DataLimit limit, Table keys, KeyRange range, int wanted, List<Candidate> found) {
        boolean expiringOnly = limit.policy().isExpiringOnly();
        try (Cursor rows = tables.store().scan(keys, range, Direction.FORWARD, ROWS_SEARCHED_MAX)) {
            while (found.size() < wanted && rows.next()) {
                if (!expiringOnly || (rows.value().at(0) & Header.HAS_DEADLINE) != 0) {
                    Bytes row = rows.key();
                    found.add(
                            new Candidate(row.at(0) & 0xff, Layout.redisKey(row).copy(), 0));
                }
            }
        }
    }

    /** Deadlines are not spread evenly, so a key after a long gap is picked more often: it is the last resort. */
    private KeyRange fromRandomDeadline(Table expiries) {
        KeyRange all = DeadlineQueue.all();
        long first = deadlineAt(expiries, Direction.FORWARD);
        long last = deadlineAt(expiries, Direction.REVERSE);
        if (first >= last) {
            return all;
        }
        Bytes from = Layout.expiry(random.nextLong(first, last), 0, Bytes.EMPTY).bytes();
        return new KeyRange(from, all.to(), all.partitionLength());
    }

    private long deadlineAt(Table expiries, Direction end) {
        try (Cursor rows = tables.store().scan(expiries, DeadlineQueue.all(), end, 1)) {
            return rows.next() ? Layout.deadline(rows.key()) : 0;
        }
    }

    private void addDeadlines(Table expiries, KeyRange range, int most, List<Candidate> found) {
        try (Cursor rows = tables.store().scan(expiries, range, Direction.FORWARD, Long.MAX_VALUE)) {
            while (found.size() < most && rows.next()) {
                Bytes row = rows.key();
                int physical = Layout.expiringDatabase(row);
                if (tables.databases().isLive(physical)) {
                    found.add(new Candidate(physical, Layout.expiringKey(row).copy(), -Layout.deadline(row)));
                }
            }
        }
    }

    private long worth(DataLimit limit, Candidate candidate, long nowMillis) {
        int hash = tables.keyedHash().of(candidate.key);
        return switch (limit.policy().order()) {
            case LEAST_RECENT -> -tables.uses().seconds(candidate.physicalDatabase, hash);
            case LEAST_FREQUENT -> -tables.uses().frequency(candidate.physicalDatabase, hash, nowMillis);
            case DEADLINE -> candidate.worth;
            case RANDOM, NONE -> random.nextInt();
        };
    }

    private boolean remove(Candidate candidate, long nowMillis) {
        Stripes stripes = tables.store().stripes();
        int stripe = new KeyStripes(stripes).of(candidate.key);
        stripes.lock(stripe);
        try {
            unit.begin(nowMillis, true);
            int database = unit.databases().database(candidate.physicalDatabase);
            if (database < 0) {
                return false;
            }
            Space space = unit.space(database);
            long leaving = elementBytes(space, candidate.key);
            boolean removed = space.evict(candidate.key);
            unit.commit();
            usage.leaves(leaving);
            return removed;
        } finally {
            unit.abandon();
            unit.release();
            stripes.unlock(stripe);
        }
    }

    /** The estimated size of the elements, which the sweeper deletes later; the header's row goes with the commit. */
    private long elementBytes(Space space, Bytes key) {
        Optional<Header> header = space.peek(key);
        if (header.isEmpty() || !(header.get() instanceof CollectionHeader)) {
            return 0;
        }
        return sizes.of(space, key, SIZE_SAMPLES).orElse(0);
    }
}
