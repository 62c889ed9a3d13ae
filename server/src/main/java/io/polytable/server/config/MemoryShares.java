package io.polytable.server.config;

import com.sun.management.OperatingSystemMXBean;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.limit.MemoryPlanException;
import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.hbase.HBaseSettings;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.sql.SqlSettings;
import java.lang.management.ManagementFactory;
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
    public static final String REDIS_READS = "redis.reads";
    public static final String REDIS_INPUT = "redis.input";
    public static final String REDIS_OUTPUT = "redis.output";
    public static final String REDIS_PUSH = "redis.push";
    public static final String REDIS_SUBSCRIPTIONS = "redis.subscriptions";
    public static final String REDIS_TRACKING = "redis.tracking";
    public static final String REDIS_FENCES = "redis.fences";
    public static final String REDIS_LISTS = "redis.lists";
    public static final String REDIS_SCRIPTS = "redis.scripts";
    public static final String REDIS_LUA = "redis.lua";
    public static final String HBASE_REQUESTS = "hbase.requests";
    public static final String HBASE_RESPONSES = "hbase.responses";
    public static final String HBASE_RESULTS = "hbase.results";
    public static final String SQL_STATEMENTS = "sql.statements";
    public static final String SQL_RESULTS = "sql.results";
    public static final String SQL_MEMORY = "sql.memory";
    public static final String HTTP_BODIES = "http.bodies";

    /** Shares whose owners keep to a number of bytes without reporting how many of them they use. */
    private static final Set<String> NOT_COUNTED =
            Set.of(FEEDS, BLOCKS, FLUSS_WRITES, FLUSS_AHEAD, HBASE_RESULTS, SQL_MEMORY);

    private static final long MB = ByteSize.MB;
    private static final int FLOOR_DIVISOR = 256;
    private static final int POOL_DIVISOR_MAX = 32;
    private static final double ROWS_SHARE = 0.4;
    private static final int ROWS_DIVISOR_MAX = 8;

    /** The divisor of the machine's memory for what is outside the heap. */
    private static final int MACHINE_DIVISOR = 8;

    /** Beyond it the page cache serves as well. */
    private static final long BLOCKS_BYTES_MAX = 4 * ByteSize.GB;

    private static final long SQL_BYTES_MIN = 64 * MB;
    private static final long LUA_BYTES_MIN = 64 * MB;

    /** No statement needs more: its rows go into one commit. */
    private static final long STATEMENTS_BYTES_MAX = ByteSize.GB;

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

    /** The plan for a heap of the given size. */
    public static MemoryPlan of(Settings settings, long heapBytes) {
        MemoryPlan.Builder plan = MemoryPlan.of(heapBytes).fixed(FEEDS, heapBytes / 16);
        borrowing(plan, heapBytes, HTTP_BODIES, heapBytes / 16);
        fluss(plan, settings, heapBytes);
        redis(plan, settings, heapBytes);
        hbase(plan, settings, heapBytes);
        sql(plan, settings, heapBytes);
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
        return machineBytes() / 4;
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

    private static void borrowing(MemoryPlan.Builder plan, long heapBytes, String share, long limitBytes) {
        plan.borrowing(share, limitBytes, heapBytes / FLOOR_DIVISOR);
    }

    private static void fluss(MemoryPlan.Builder plan, Settings settings, long heapBytes) {
        if (settings.get(StoreSettings.LOG) == StoreSettings.LogPlace.FLUSS) {
            long writes = Math.max(FLUSS_WRITES_MIN, Math.min(FLUSS_WRITES_MAX, heapBytes / 16));
            plan.fixed(FLUSS_WRITES, writes * flussConnections(settings));
            plan.fixed(FLUSS_AHEAD, Math.max(FLUSS_AHEAD_MIN, Math.min(FLUSS_AHEAD_MAX, heapBytes / 16)));
        }
    }

    private static void redis(MemoryPlan.Builder plan, Settings settings, long heapBytes) {
        if (!settings.get(RedisSettings.ENABLED)) {
            return;
        }
        plan.fixed(REDIS_FENCES, Math.max(heapBytes / 32, Math.min(16 * MB, heapBytes / 16)));
        plan.fixed(REDIS_LISTS, Math.max(MB, Math.min(128 * MB, heapBytes / 64)));
        borrowing(plan, heapBytes, REDIS_READS, heapBytes / 6);
        borrowing(plan, heapBytes, REDIS_INPUT, heapBytes / 6);
        borrowing(plan, heapBytes, REDIS_PUSH, Math.min(32 * MB, heapBytes / 8));
        borrowing(plan, heapBytes, REDIS_SUBSCRIPTIONS, heapBytes / 8);
        borrowing(plan, heapBytes, REDIS_TRACKING, heapBytes / 8);
        borrowing(plan, heapBytes, REDIS_SCRIPTS, Math.min(64 * MB, heapBytes / 16));
        plan.outside(REDIS_OUTPUT, heapBytes / 4);
        plan.outside(REDIS_LUA, Math.max(LUA_BYTES_MIN, machineBytes() / MACHINE_DIVISOR));
    }

    private static void hbase(MemoryPlan.Builder plan, Settings settings, long heapBytes) {
        if (settings.get(HBaseSettings.ENABLED)) {
            plan.fixed(HBASE_RESULTS, heapBytes / 16);
            borrowing(plan, heapBytes, HBASE_REQUESTS, heapBytes / 8);
            plan.outside(HBASE_RESPONSES, heapBytes / 8);
        }
    }

    private static void sql(MemoryPlan.Builder plan, Settings settings, long heapBytes) {
        if (settings.get(SqlSettings.ENABLED)) {
            borrowing(plan, heapBytes, SQL_STATEMENTS, Math.min(STATEMENTS_BYTES_MAX, heapBytes / 6));
            borrowing(plan, heapBytes, SQL_RESULTS, Math.min(STATEMENTS_BYTES_MAX, heapBytes / 6));
            plan.outside(
                    SQL_MEMORY,
                    settings.get(SqlSettings.MEMORY)
                            .orElseGet(() -> Math.max(SQL_BYTES_MIN, machineBytes() / MACHINE_DIVISOR)));
        }
    }

    private static long blocksOfMachine() {
        return Math.max(ServerSettings.BLOCKS_BYTES_MIN, Math.min(machineBytes() / MACHINE_DIVISOR, BLOCKS_BYTES_MAX));
    }

    private static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
}
