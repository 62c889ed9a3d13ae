package io.polytable.store.engine;

import io.polytable.store.memory.RowMemory;
import io.polytable.store.state.State;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lock-free reads by key: from memory, and from the state for keys that memory does not know. The state's answer is
 * cached under the stamp taken before memory was asked, so that a change in between cannot make it stale unnoticed.
 */
final class PointReads {
    /** Answers cached at a time: writers wait meanwhile. */
    private static final int MISSES_AT_ONCE = 256;

    private final RowMemory memory;
    private final State state;
    private final Appender appender;
    private final LongAdder memoryHits = new LongAdder();
    private final LongAdder stateReads = new LongAdder();

    PointReads(RowMemory memory, State state, Appender appender) {
        this.memory = memory;
        this.state = state;
        this.appender = appender;
    }

    /** A key that memory did not know: its index in the result, and the stamp from before memory was asked. */
    record Miss(int at, Bytes key, long stamp) {}

    Optional<Bytes> read(EngineTable table, Bytes key) {
        RowMemory.Found found = memory.find(table.id(), key);
        return switch (found.known()) {
            case PRESENT -> {
                memoryHits.increment();
                yield Optional.of(found.value());
            }
            case ABSENT -> {
                memoryHits.increment();
                yield Optional.empty();
            }
            case NOTHING -> {
                stateReads.increment();
                Optional<Bytes> value = state.read(table.state(), key);
                appender.fill(found.stamp(), table, key, value);
                yield value;
            }
        };
    }

    List<Optional<Bytes>> readMany(EngineTable table, List<RowKey> keys) {
        List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
        while (answers.size() < keys.size()) {
            int from = answers.size();
            List<RowKey> some = keys.subList(from, Math.min(keys.size(), from + MISSES_AT_ONCE));
            answers.addAll(readMany(table, some, Long.MAX_VALUE));
        }
        return answers;
    }

    /** The answers to the first keys, at least one, up to about {@code bytesMax} bytes. */
    List<Optional<Bytes>> readMany(EngineTable table, List<RowKey> keys, long bytesMax) {
        List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
        List<Miss> misses = new ArrayList<>();
        long left = bytesMax;
        for (int i = 0; i < keys.size() && i < MISSES_AT_ONCE && left > 0; i++) {
            Bytes key = keys.get(i).bytes();
            RowMemory.Found found = memory.find(table.id(), key);
            answers.add(found.known() == RowMemory.Known.PRESENT ? Optional.of(found.value()) : Optional.empty());
            left -= found.value().length();
            if (found.known() == RowMemory.Known.NOTHING) {
                misses.add(new Miss(i, key, found.stamp()));
            }
        }
        memoryHits.add(answers.size() - (long) misses.size());
        return misses.isEmpty() ? answers : readState(table, misses, answers, left);
    }

    /** Fills in the state's answers as far as there is space; the rest is left for another call. */
    private List<Optional<Bytes>> readState(
            EngineTable table, List<Miss> misses, List<Optional<Bytes>> answers, long left) {
        List<Bytes> wanted = misses.stream().map(Miss::key).toList();
        List<Optional<Bytes>> values = state.readMany(table.state(), wanted, Math.max(1, left));
        stateReads.add(values.size());
        for (int i = 0; i < values.size(); i++) {
            answers.set(misses.get(i).at(), values.get(i));
        }
        appender.fill(table, misses.subList(0, values.size()), values);
        return values.size() == misses.size()
                ? answers
                : answers.subList(0, misses.get(values.size()).at());
    }

    long memoryHits() {
        return memoryHits.sum();
    }

    long stateReads() {
        return stateReads.sum();
    }
}
