package io.polytable.frontend.limit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Who may use how much of the heap: every share in bytes, with a sum that fits.
 *
 * <p>A <em>fixed</em> share belongs to a cache or a table that fills up and stays full. <em>Borrowing</em> shares are
 * for work in flight (requests, rows read for a reply, unsent replies): each has a floor of its own and may grow to its
 * limit while the common pool lasts. What neither takes is left to objects that nobody counts and to the collector.
 */
public final class MemoryPlan {
    /** What remains unplanned: one part of the heap in this many. */
    private static final int HEADROOM_DIVISOR = 6;

    private final long heapBytes;
    private final Map<String, Budget> budgets;
    private final Budget.Pool pool;

    private MemoryPlan(long heapBytes, Map<String, Budget> budgets, Budget.Pool pool) {
        this.heapBytes = heapBytes;
        this.budgets = budgets;
        this.pool = pool;
    }

    /** The heap of this process. */
    public static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Starts a plan for a heap of the given size. */
    public static Builder of(long heapBytes) {
        return new Builder(heapBytes);
    }

    /** Returns the budget of a share. */
    public Budget budget(String share) {
        Budget budget = budgets.get(share);
        if (budget == null) {
            throw new IllegalArgumentException("the memory plan has no share " + share);
        }
        return budget;
    }

    /** Passes each share's name and budget to the receiver, in the order in which they were planned. */
    public void forEach(BiConsumer<String, Budget> receiver) {
        budgets.forEach(receiver);
    }

    /** What the borrowing shares hold above their floors, and what they may. */
    public long lentBytes() {
        return pool.lentBytes();
    }

    public long poolBytes() {
        return pool.bytesMax();
    }

    /** The bytes of all fixed shares, floors and the pool: never more than the plan's limit. */
    public long plannedBytes() {
        return budgets.values().stream().mapToLong(Budget::floorBytes).sum() + pool.bytesMax();
    }

    /** The plan as a table: one line per share with its floor and its limit. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(line("share", "floor", "limit"));
        budgets.forEach((name, budget) -> lines.add(line(name, text(budget.floorBytes()), text(budget.limitBytes()))));
        lines.add(line("common pool", "", text(pool.bytesMax())));
        lines.add(line("planned", text(plannedBytes()), text(limitBytes(heapBytes))));
        lines.add(line("heap", "", text(heapBytes)));
        return lines;
    }

    private static String line(String name, String floor, String limit) {
        return String.format("%-28s %12s %12s", name, floor, limit).stripTrailing();
    }

    private static String text(long bytes) {
        return bytes >= 10 << 20 ? (bytes >> 20) + " MB" : (bytes >> 10) + " kB";
    }

    private static long limitBytes(long heapBytes) {
        return heapBytes - heapBytes / HEADROOM_DIVISOR;
    }

    /** Collects the shares of a plan. */
    public static final class Builder {
        private final long heapBytes;
        private final Map<String, Share> shares = new LinkedHashMap<>();
        private long poolBytes;

        /** One share as requested; a fixed one has its limit as its floor. */
        private record Share(long limitBytes, long floorBytes) {}

        private Builder(long heapBytes) {
            this.heapBytes = heapBytes;
        }

        /** A share for what stays full. */
        public Builder fixed(String name, long bytes) {
            return add(name, new Share(bytes, bytes));
        }

        /** A share for work in flight. */
        public Builder borrowing(String name, long limitBytes, long floorBytes) {
            return add(name, new Share(limitBytes, Math.min(floorBytes, limitBytes)));
        }

        /** What the borrowing shares may hold above their floors, all together. */
        public Builder pool(long bytes) {
            poolBytes = bytes;
            return this;
        }

        private Builder add(String name, Share share) {
            if (shares.put(name, share) != null) {
                throw new IllegalArgumentException("share " + name + " is planned twice");
            }
            return this;
        }

        /**
         * Returns the plan.
         *
         * @throws MemoryPlanException if the shares together exceed what may be planned of the heap
         */
        public MemoryPlan build() {
            Budget.Pool pool = new Budget.Pool(poolBytes);
            Map<String, Budget> budgets = new LinkedHashMap<>();
            shares.forEach((name, share) ->
                    budgets.put(name, Budget.borrowing(name, share.limitBytes(), share.floorBytes(), pool)));
            MemoryPlan plan = new MemoryPlan(heapBytes, budgets, pool);
            if (plan.plannedBytes() > limitBytes(heapBytes)) {
                throw new MemoryPlanException(plan.plannedBytes(), limitBytes(heapBytes), heapBytes);
            }
            return plan;
        }
    }
}
