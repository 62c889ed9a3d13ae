package io.polytable.store.memory;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readers without a lock beside one writer, over a map that stands for the state: random puts, deletes, range deletes,
 * seals, applies, evictions and warm-ups. The history is seeded, how the threads meet is not; so few keys, so many steps
 * and so small a memory make every race a matter of a few thousand steps.
 */
class LockFreeReadTest {
    private static final int STEPS = 6_000;
    private static final int MANY_STEPS = 20_000;
    private static final int KEYS = 64;

    /** For so many steps rows are many and large, and memory must let some go; then few and small, and all fit. */
    private static final int PHASE_STEPS = 150;

    private static final int READERS = 2;
    private static final int WARMED_AT_ONCE = 4;
    private static final long MEMORY_BYTES = 1 << 20;
    private static final Table TABLE = TestTable.numbered(3);

    private final RowMemory memory = new RowMemory(MEMORY_BYTES);
    private final Map<Bytes, Bytes> state = new ConcurrentHashMap<>();
    private final ReentrantLock mutex = new ReentrantLock();
    private final ReadHistory history = new ReadHistory(KEYS, MANY_STEPS + 1);
    private final AtomicBoolean over = new AtomicBoolean();
    private final Batch batch = new Batch();
    private long position;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("polytable.seeds", 2));
    }

    static LongStream manySeeds() {
        return LongStream.range(2, 20);
    }

    @Tag("crash")
    @ParameterizedTest
    @MethodSource("manySeeds")
    void aReaderSeesWhatWasThereWhileItReadEveryTime(long seed) throws Exception {
        readBesideWrites(seed, MANY_STEPS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aReaderSeesWhatWasThereWhileItRead(long seed) throws Exception {
        readBesideWrites(seed, STEPS);
    }

    private void readBesideWrites(long seed, int steps) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
        List<Future<?>> others = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                Random random = new Random(seed * 31 + i);
                others.add(threads.submit(() -> readOn(random, "seed " + seed)));
            }
            others.add(threads.submit(this::warmUpOn));
            Random random = new Random(seed);
            for (int step = 0; step < steps && others.stream().noneMatch(Future::isDone); step++) {
                step(random, step / PHASE_STEPS % 2 == 0);
            }
            over.set(true);
            for (Future<?> other : others) {
                other.get(30, TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    private void step(Random random, boolean large) {
        int what = random.nextInt(20);
        if (what < 2) {
            apply();
        } else if (what < (large ? 3 : 8)) {
            int from = random.nextInt(KEYS);
            int to = Math.min(KEYS, from + 1 + random.nextInt(large ? 3 : 30));
            batch.deleteRange(TABLE, KeyRange.between(key(from), key(to)));
            for (int i = from; i < to; i++) {
                history.begin(i, false, position + 1);
            }
        } else if (what < 9) {
            int key = random.nextInt(KEYS);
            history.begin(key, false, position + 1);
            batch.delete(TABLE, RowKey.whole(key(key)));
        } else {
            for (int i = random.nextInt(3); i >= 0; i--) {
                int key = random.nextInt(KEYS);
                long version = history.begin(key, true, position + 1);
                int bytes = 8 + random.nextInt(large ? 60_000 : 100);
                batch.put(TABLE, RowKey.whole(key(key)), ReadHistory.value(version, bytes));
            }
        }
        commit();
    }

    private void commit() {
        if (batch.isEmpty()) {
            return;
        }
        mutex.lock();
        try {
            memory.append(batch, ++position, 0);
        } finally {
            mutex.unlock();
        }
        history.end();
        batch.clear();
    }

    /** What the engine's applier does, row by row, while readers look on. */
    private void apply() {
        Generation generation = sealed();
        if (generation == null) {
            return;
        }
        generation.startApply();
        generation.forEachStep(this::apply);
        mutex.lock();
        try {
            memory.applied(generation);
        } finally {
            mutex.unlock();
        }
        boolean more = true;
        while (more) {
            mutex.lock();
            try {
                more = memory.trim();
            } finally {
                mutex.unlock();
            }
        }
    }

    private void apply(Step step) {
        for (RangeTombstone range : step.ranges()) {
            state.keySet().removeIf(range::covers);
        }
        step.forEach(TABLE.id(), row -> {
            if (row.op() == EncodedRow.PUT) {
                state.put(row.key().copy(), row.value().copy());
            } else {
                state.remove(row.key());
            }
        });
    }

    private @Nullable Generation sealed() {
        mutex.lock();
        try {
            var unusedGroups = memory.takeBatches();
            memory.seal();
            return memory.oldestSealed().orElse(null);
        } finally {
            mutex.unlock();
        }
    }

    private void warmUpOn() {
        while (!over.get()) {
            long stamp = memory.fillStamp();
            if (!memory.isWhole(TABLE.id()) && warm(stamp)) {
                mutex.lock();
                try {
                    if (memory.fillStamp() == stamp) {
                        memory.markWhole(TABLE.id());
                    }
                } finally {
                    mutex.unlock();
                }
            }
        }
    }

    /** Reads the rows of a snapshot in small batches, as the engine's warm-up does. */
    private boolean warm(long stamp) {
        List<Map.Entry<Bytes, Bytes>> rows = List.copyOf(state.entrySet());
        for (int i = 0; i < rows.size(); i += WARMED_AT_ONCE) {
            mutex.lock();
            try {
                for (Map.Entry<Bytes, Bytes> row : rows.subList(i, Math.min(rows.size(), i + WARMED_AT_ONCE))) {
                    boolean known = memory.find(TABLE.id(), row.getKey()).known() != RowMemory.Known.NOTHING
                            || memory.fill(stamp, TABLE, row.getKey(), Optional.of(row.getValue()));
                    if (!known) {
                        return false;
                    }
                }
            } finally {
                mutex.unlock();
            }
        }
        return true;
    }

    private void readOn(Random random, String where) {
        while (!over.get()) {
            int key = random.nextInt(KEYS);
            long before = history.before(key);
            Optional<Bytes> answer = read(key(key));
            history.check(key, before, answer, memory.newestShown(), where);
        }
    }

    private Optional<Bytes> read(Bytes key) {
        RowMemory.Found found = memory.find(TABLE.id(), key);
        return switch (found.known()) {
            case PRESENT -> Optional.of(found.value());
            case ABSENT -> Optional.empty();
            case NOTHING -> {
                Optional<Bytes> value = Optional.ofNullable(state.get(key));
                if (mutex.tryLock()) {
                    try {
                        boolean unusedKnown = memory.fill(found.stamp(), TABLE, key, value);
                    } finally {
                        mutex.unlock();
                    }
                }
                yield value;
            }
        };
    }

    private static Bytes key(int number) {
        return Bytes.utf8(String.format(Locale.ROOT, "%03d", number));
    }
}
