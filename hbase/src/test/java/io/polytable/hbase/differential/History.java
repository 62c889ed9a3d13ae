package io.polytable.hbase.differential;

import java.util.ArrayList;
import java.util.List;

/** The steps that a seed stands for. */
record History(long seed, Schema schema, List<Step<?>> steps) {
    private static final int WRITES_PERCENT = 55;
    private static final int PARTS = 3;

    /** Writes and reads in any order; at the end everything is looked at. */
    static History of(long seed, Schema schema, int length) {
        Dice dice = new Dice(seed);
        Writes writes = new Writes(dice, schema);
        Reads reads = new Reads(dice, schema);
        List<Step<?>> steps = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            steps.add(dice.percent(WRITES_PERCENT) ? writes.step() : reads.step());
        }
        steps.addAll(Reads.everything());
        return new History(seed, schema, steps);
    }

    /**
     * Writes of cells and markers, then a compaction, several times; after each, everything is looked at. Where markers are
     * kept, once: which of them HBase still has depends on which cells came into one file, and late writes show it.
     */
    static History withCompactions(long seed, Schema schema, int length) {
        Dice dice = new Dice(seed);
        Writes writes = new Writes(dice, schema);
        Reads reads = new Reads(dice, schema);
        List<Step<?>> steps = new ArrayList<>();
        steps.add(Writes.survivor(schema));
        for (int part = 0; part < (schema.keepsDeleted() ? 1 : PARTS); part++) {
            for (int i = 0; i < length; i++) {
                steps.add(writes.step());
            }
            steps.addAll(Reads.everything());
            steps.add(Step.COMPACTION);
            steps.addAll(Reads.everything());
            for (int i = 0; i < length; i++) {
                steps.add(reads.step());
            }
        }
        return new History(seed, schema, steps);
    }

    History with(List<Step<?>> some) {
        return new History(seed, schema, List.copyOf(some));
    }
}
