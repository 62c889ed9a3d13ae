package io.polytable.table.testkit.history;

import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random steps from a seed. There are few keys, so that steps interact: keys are overwritten, deleted, deleted in
 * ranges, put again, and read in between.
 */
final class Workload {
    static final List<String> TABLES = List.of("t0", "t1");
    static final int SLOTS = 3;

    private static final List<String> PARTITIONS = List.of("a", "b", "c", "d");
    private static final int ROWS = 16;

    private final Random random;
    private final boolean restarts;
    private int number;

    /** @param restarts whether the store may be closed and reopened */
    Workload(long seed, boolean restarts) {
        random = new Random(seed);
        this.restarts = restarts;
    }

    List<Step> steps(int count) {
        List<Step> steps = new ArrayList<>(count);
        while (steps.size() < count) {
            Step step = step();
            if (restarts || !(step instanceof Step.Restart)) {
                steps.add(step);
            }
        }
        return steps;
    }

    private Step step() {
        int dice = random.nextInt(100);
        if (dice < 45) {
            return new Step.Commit(writes());
        }
        if (dice < 57) {
            return read();
        }
        if (dice < 75) {
            return new Step.Scan(scan());
        }
        if (dice < 84) {
            return random.nextBoolean() ? new Step.TakeSnapshot(slot()) : new Step.ScanSnapshot(slot(), scan());
        }
        if (dice < 92) {
            return cursorStep();
        }
        return rareStep();
    }

    private Step cursorStep() {
        return switch (random.nextInt(3)) {
            case 0 -> new Step.OpenCursor(slot(), scan());
            case 1 -> new Step.SeekCursor(slot(), key());
            default -> new Step.AdvanceCursor(slot(), 1 + random.nextInt(5));
        };
    }

    private Step rareStep() {
        int dice = random.nextInt(10);
        if (dice < 4) {
            return new Step.Follow();
        }
        if (dice < 7) {
            return new Step.Settle();
        }
        return dice < 9 ? new Step.Restart() : new Step.Recreate(table());
    }

    private Step read() {
        String table = table();
        List<String> keys = new ArrayList<>();
        int count = random.nextInt(3) == 0 ? random.nextInt(8) : 1;
        for (int i = 0; i < count; i++) {
            keys.add(key());
        }
        return new Step.Read(table, keys);
    }

    private List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1;
        for (int i = 0; i < count; i++) {
            writes.add(write());
        }
        return writes;
    }

    private Write write() {
        int dice = random.nextInt(10);
        if (dice < 6) {
            return new Write.Put(table(), key(), ++number, random.nextInt(10) == 0 ? random.nextInt(3000) : 0);
        }
        if (dice < 9) {
            return new Write.Delete(table(), key());
        }
        return new Write.DeleteRange(table(), span());
    }

    private World.Scan scan() {
        boolean forward = random.nextBoolean();
        long limit = random.nextInt(3) == 0 ? random.nextInt(6) : Long.MAX_VALUE;
        return new World.Scan(table(), span(), forward ? Direction.FORWARD : Direction.REVERSE, limit);
    }

    /** A partition, a part of one, any two keys, or everything. Now and then it is empty. */
    private Span span() {
        String partition = pick(PARTITIONS);
        return switch (random.nextInt(8)) {
            case 0 -> Span.ALL;
            case 1, 2 -> new Span(key(), random.nextInt(4) == 0 ? "" : key(), false);
            case 3, 4, 5 -> new Span(key(partition), key(partition), true);
            // The character after the slash ends the partition.
            default -> new Span(partition + "/", partition + "0", true);
        };
    }

    private String table() {
        return pick(TABLES);
    }

    private int slot() {
        return random.nextInt(SLOTS);
    }

    private String key() {
        return key(pick(PARTITIONS));
    }

    private String key(String partition) {
        return "%s/%02d".formatted(partition, random.nextInt(ROWS));
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
