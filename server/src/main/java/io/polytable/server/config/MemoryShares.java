package io.polytable.server.config;

import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.limit.MemoryPlanException;
import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import java.util.List;
import java.util.Set;

/**
 * The memory plan of a server: a function of the configuration and the heap. Only protocols that are enabled get shares.
 *
 * <p>The limits of borrowing shares are what a purpose may need when it is alone; the common pool, which gets all that
 * the fixed shares and the floors leave, bounds them together.
 */
public final class MemoryShares {
    public static final String ROWS = "store.rows";
    public static final String FEEDS = "store.feeds";
    public static final String BLOCKS = "store.blocks";
    public static final String FLUSS_WRITES = "fluss.writes";
    public static final String FLUSS_AHEAD = "fluss.ahead";
    public static final String HTTP_BODIES = "http.bodies";

    /** Shares whose owners keep to a number of bytes without reporting how many of them they use. */
    private static final Set<String> NOT_COUNTED =
            Set.of(FEEDS, FLUSS_WRITES, FLUSS_AHEAD, "hbase.results", "sql.memory");

    private static final long MB = ByteSize.MB;
    private static final int POOL_DIVISOR_MAX = 32;
    private static final double ROWS_SHARE = 0.4;
    private static final int ROWS_DIVISOR_MAX = 8;

    /** The divisor of the machine's memory for what is outside the heap. */
    private static final int MACHINE_DIVISOR = 8;

    /** Beyond it the page cache serves as well. */
    private static final long BLOCKS_BYTES_MAX = 4 * ByteSize.GB;

    /** The minimum of Fluss' client: two batches of the largest row. */
    private static final long FLUSS_WRITES_MIN = 16 * MB;

    private static final long FLUSS_WRITES_MAX = 64 * MB;

    /** From two to 48 parts of large rows. */
    private static final long FLUSS_AHEAD_MIN = 8 * MB;

    private static final long FLUSS_AHEAD_MAX = 192 * MB;

    /** The store's connection, and one for each protocol whose tables are readable in Fluss. */
    private static final int FLUSS_CONNECTIONS = 3;

    private MemoryShares() {}

    /**
     * The plan for this process.
     *
     * @throws SettingException if the configured shares do not fit into the heap
     */
    public static MemoryPlan of(Settings settings) {
        return of(settings, MemoryPlan.heapBytes());
    }

    /** The plan for this process, with the shares of these protocols. */
    public static MemoryPlan of(Settings settings, List<FrontendOpener> frontends) {
        return of(settings, MemoryPlan.heapBytes(), frontends);
    }

    /** The plan for a heap of the given size. */
    public static MemoryPlan of(Settings settings, long heapBytes) {
        return of(settings, heapBytes, Frontends.all());
    }

    private static MemoryPlan of(Settings settings, long heapBytes, List<FrontendOpener> frontends) {
        MemoryPlan.Builder plan = MemoryPlan.of(heapBytes).fixed(FEEDS, heapBytes / 16);
        plan.borrowing(HTTP_BODIES, heapBytes / 16);
        fluss(plan, settings, heapBytes);
        frontends.forEach(opener -> opener.plan(plan, settings));
        long poolMin = heapBytes / POOL_DIVISOR_MAX;
        plan.outside(BLOCKS, settings.get(ServerSettings.MEMORY_BLOCKS).orElseGet(MemoryShares::blocksOfMachine));
        plan.fixed(ROWS, settings.get(ServerSettings.MEMORY_ROWS).orElse(rows(heapBytes, plan.leftBytes() - poolMin)));
        plan.pool(Math.max(poolMin, plan.leftBytes()));
        try {
            return plan.build();
        } catch (MemoryPlanException tooMuch) {
            throw new SettingException(String.valueOf(tooMuch.getMessage()));
        }
    }

    /** What {@code memory.heap=auto} is on this machine, or in this container. */
    public static long heapOfMachine() {
        return MemoryPlan.machineBytes() / 4;
    }

    /** Whether the share's use is known. */
    public static boolean isCounted(String share) {
        return !NOT_COUNTED.contains(share);
    }

    /** The connections that share {@link #FLUSS_WRITES}. */
    public static int flussConnections(Settings settings) {
        return settings.get(ProjectionSettings.ENABLED) ? FLUSS_CONNECTIONS : 1;
    }

    /** Fewer than usual where other fixed shares take much of a small heap, but not so few that nothing stays hot. */
    private static long rows(long heapBytes, long leftBytes) {
        return Math.max(heapBytes / ROWS_DIVISOR_MAX, Math.min((long) (heapBytes * ROWS_SHARE), leftBytes));
    }

    private static void fluss(MemoryPlan.Builder plan, Settings settings, long heapBytes) {
        if (settings.get(StoreSettings.LOG) == StoreSettings.LogPlace.FLUSS) {
            long writes = Math.max(FLUSS_WRITES_MIN, Math.min(FLUSS_WRITES_MAX, heapBytes / 16));
            plan.fixed(FLUSS_WRITES, writes * flussConnections(settings));
            plan.fixed(FLUSS_AHEAD, Math.max(FLUSS_AHEAD_MIN, Math.min(FLUSS_AHEAD_MAX, heapBytes / 16)));
        }
    }

    private static long blocksOfMachine() {
        return Math.max(
                ServerSettings.BLOCKS_BYTES_MIN,
                Math.min(MemoryPlan.machineBytes() / MACHINE_DIVISOR, BLOCKS_BYTES_MAX));
    }
}
