package io.polytable.frontend.limit;

import com.sun.management.OperatingSystemMXBean;
import io.polytable.table.Limits;
import java.lang.management.ManagementFactory;
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
 * A share <em>outside</em> the heap, such as direct buffers, is listed and counted, and does not add to the sum.
 */
public final class MemoryPlan {
    /** The divisor of the heap for what remains unplanned. */
    private static final int HEADROOM_DIVISOR = 6;

    /** The divisor of the heap for the floor of a borrowing share. */
    private static final int FLOOR_DIVISOR = 256;

    private final long heapBytes;
    private final Map<String, Budget> budgets;
    private final Map<String, Budget> outside;
    private final Budget.Pool pool;

    private MemoryPlan(long heapBytes, Map<String, Budget> budgets, Map<String, Budget> outside, Budget.Pool pool) {
        this.heapBytes = heapBytes;
        this.budgets = budgets;
        this.outside = outside;
        this.pool = pool;
    }

    /** The heap of this process. */
    public static long heapBytes() {
        return Limits.heapBytes();
    }

    /** The memory of the machine, or of the container. */
    public static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** Starts a plan for a heap of the given size. */
    public static Builder of(long heapBytes) {
        return new Builder(heapBytes);
    }

    /** What may be planned of a heap of this size; the rest is for what nobody counts. */
    public static long limitBytes(long heapBytes) {
        return heapBytes - heapBytes / HEADROOM_DIVISOR;
    }

    /** Returns the budget of a share. */
    public Budget budget(String share) {
        Budget budget = budgets.getOrDefault(share, outside.get(share));
        if (budget == null) {
            throw new IllegalArgumentException("the memory plan has no share " + share);
        }
        return budget;
    }

    /** Passes each share's name and budget to the receiver, in the order in which they were planned. */
    public void forEach(BiConsumer<String, Budget> receiver) {
        budgets.forEach(receiver);
        outside.forEach(receiver);
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
        outside.forEach((name, budget) -> lines.add(line(name + " (outside)", "", text(budget.limitBytes()))));
        return lines;
    }

    private static String line(String name, String floor, String limit) {
        return String.format("%-28s %12s %12s", name, floor, limit).stripTrailing();
    }

    private static String text(long bytes) {
        return bytes >= 10 << 20 ? (bytes >> 20) + " MB" : (bytes >> 10) + " kB";
    }

    /** Collects the shares of a plan. */
    public static final class Builder {
        private final long heapBytes;
        private final Map<String, Share> shares = new LinkedHashMap<>();
        private final Map<String, Budget> outside = new LinkedHashMap<>();
        private long poolBytes;

        /** One share as requested; a fixed one has its limit as its floor. */
        private record Share(long limitBytes, long floorBytes) {}

        private Builder(long heapBytes) {
            this.heapBytes = heapBytes;
        }

        public long heapBytes() {
            return heapBytes;
        }

        /** A share for what stays full. */
        public Builder fixed(String name, long bytes) {
            return add(name, new Share(bytes, bytes));
        }

        /** A share for work in flight, with the usual floor. */
        public Builder borrowing(String name, long limitBytes) {
            return borrowing(name, limitBytes, heapBytes / FLOOR_DIVISOR);
        }

        /** A share for work in flight. */
        public Builder borrowing(String name, long limitBytes, long floorBytes) {
            return add(name, new Share(limitBytes, Math.min(floorBytes, limitBytes)));
        }

        /** A share outside the heap. */
        public Builder outside(String name, long bytes) {
            requireNew(name);
            outside.put(name, Budget.of(name, bytes));
            return this;
        }

        /** What may still be planned: for the pool, or for a share that takes the rest. */
        public long leftBytes() {
            return limitBytes(heapBytes)
                    - poolBytes
                    - shares.values().stream().mapToLong(Share::floorBytes).sum();
        }

        /** What the borrowing shares may hold above their floors, all together. */
        public Builder pool(long bytes) {
            poolBytes = bytes;
            return this;
        }

        private Builder add(String name, Share share) {
            requireNew(name);
            shares.put(name, share);
            return this;
        }

        private void requireNew(String name) {
            if (shares.containsKey(name) || outside.containsKey(name)) {
                throw new IllegalArgumentException("share " + name + " is planned twice");
            }
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
            MemoryPlan plan = new MemoryPlan(heapBytes, budgets, new LinkedHashMap<>(outside), pool);
            if (plan.plannedBytes() > limitBytes(heapBytes)) {
                throw new MemoryPlanException(plan.plannedBytes(), limitBytes(heapBytes), heapBytes);
            }
            return plan;
        }
    }
}
