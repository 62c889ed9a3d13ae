package io.polytable.redis.command.server;

import com.sun.management.OperatingSystemMXBean;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.ConfigParameter;
import io.polytable.redis.command.config.ProcessMemory;
import io.polytable.redis.command.config.ProcessTime;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.command.replication.Following;
import io.polytable.redis.command.replication.Replica;
import io.polytable.redis.command.replication.Replication;
import io.polytable.redis.command.scripting.Scripts;
import io.polytable.redis.model.change.PrimaryPosition;
import io.polytable.redis.model.keyspace.Libraries;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The sections of INFO about the process: version, clients, memory, persistence. */
final class ServerReport {
    /** Redis' LRU clock has 24 bits. */
    private static final long LRU_CLOCK_MAX = 0xffffff;

    private final Node node;

    ServerReport(Node node) {
        this.node = node;
    }

    void server(Report report) {
        long nowMillis = node.clock().millis();
        long uptimeSeconds = Math.max(0, nowMillis - node.startMillis()) / 1000;
        report.section("Server")
                .line("redis_version", Node.VERSION)
                .line("redis_git_sha1", "00000000")
                .line("redis_git_dirty", 0)
                .line("redis_build_id", "polytable")
                .line("redis_mode", "standalone")
                .line(
                        "os",
                        System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                                + System.getProperty("os.arch"))
                .line("arch_bits", 64)
                .line("monotonic_clock", "System.nanoTime")
                .line("multiplexing_api", "netty")
                .line("atomicvar_api", "java-varhandle")
                .line("gcc_version", "0.0.0")
                .line("java_version", String.valueOf(System.getProperty("java.version")))
                .line("process_id", ProcessHandle.current().pid())
                .line("process_supervised", "no")
                .line("run_id", node.runId())
                .line("tcp_port", text("port"))
                .line("server_time_usec", nowMillis * 1000)
                .line("uptime_in_seconds", uptimeSeconds)
                .line("uptime_in_days", uptimeSeconds / 86400)
                .line("hz", text("hz"))
                .line("configured_hz", text("hz"))
                .line("lru_clock", nowMillis / 1000 & LRU_CLOCK_MAX)
                .line("executable", "")
                .line("config_file", "")
                .line("io_threads_active", 0)
                .line("listener0", "name=tcp,bind=" + text("bind") + ",port=" + text("port"));
    }

    private String text(String setting) {
        ConfigParameter found = node.settings().find(setting);
        return found == null ? "" : found.text();
    }

    void clients(Report report) {
        long input = 0;
        long output = 0;
        for (Session session : node.clients().all()) {
            input = Math.max(input, session.peer().queryBytes());
            output = Math.max(output, session.peer().outputBytes());
        }
        report.section("Clients")
                .line(
                        "connected_clients",
                        node.clients().count() - node.replication().replicas().size())
                .line("cluster_connections", 0)
                .line("maxclients", node.settings().maxClients())
                .line("client_recent_max_input_buffer", input)
                .line("client_recent_max_output_buffer", output)
                .line("blocked_clients", node.clients().waiting())
                .line("tracking_clients", node.tracking().clients())
                .line("clients_in_timeout_table", 0)
                .line("total_blocking_keys", node.waiting().keyCount())
                .line("total_blocking_keys_on_nokey", node.waiting().keyCountWhenGone());
    }

    void memory(Call call, Report report) {
        ProcessMemory memory = ProcessMemory.now();
        report.section("Memory")
                .bytes("used_memory", memory.used())
                .bytes("used_memory_rss", memory.resident())
                .bytes("used_memory_peak", memory.peak())
                .percent("used_memory_peak_perc", memory.used(), memory.peak())
                .line("used_memory_overhead", memory.direct())
                .line("used_memory_startup", 0)
                .line(
                        "used_memory_dataset",
                        node.data().isCounting() ? node.data().bytes() : memory.heapUsed())
                .percent("used_memory_dataset_perc", memory.heapUsed(), memory.used())
                .line("allocator_allocated", memory.used())
                .line("allocator_active", memory.committed())
                .line("allocator_resident", memory.resident())
                .bytes("total_system_memory", system().getTotalMemorySize());
        scripts(call, report);
        report.bytes("maxmemory", node.data().limit().bytes())
                .line("maxmemory_policy", node.settings().dataLimit().policy().text())
                .ratio("allocator_frag", memory.committed(), memory.used())
                .ratio("allocator_rss", memory.resident(), memory.committed())
                .ratio("rss_overhead", memory.resident(), memory.resident())
                .ratio("mem_fragmentation", memory.resident(), memory.used());
        report.line("mem_not_counted_for_evict", 0)
                .line("mem_replication_backlog", node.replication().heldBytes())
                .line("mem_total_replication_buffers", node.replication().heldBytes())
                .line("mem_clients_slaves", node.clients().bytes(true))
                .line("mem_clients_normal", node.clients().bytes(false))
                .line("mem_cluster_links", 0)
                .line("mem_aof_buffer", 0)
                .line("mem_allocator", "jvm")
                .line("heap_max", memory.heapMax())
                .line("active_defrag_running", 0)
                .line("lazyfree_pending_objects", 0)
                .line("lazyfreed_objects", 0);
    }

    /** Scripts and functions share the states of Lua, one for each event loop that has run one. */
    private void scripts(Call call, Report report) {
        Scripts scripts = node.scripts();
        Libraries libraries = call.space().unit().libraries();
        long states = node.keyspace().memory().scripts().heldBytes();
        report.bytes("used_memory_lua", states)
                .line("used_memory_vm_eval", states)
                .line("used_memory_scripts_eval", scripts.bytes())
                .line("number_of_cached_scripts", scripts.count())
                .line("number_of_functions", scripts.functions().count(libraries))
                .line("number_of_libraries", libraries.all().size())
                .line("used_memory_vm_functions", 0)
                .bytes("used_memory_vm_total", states)
                .line("used_memory_functions", libraries.bytes())
                .bytes("used_memory_scripts", scripts.bytes() + libraries.bytes());
    }

    /** Nothing forks: the log holds every commit, and an RDB file is written from a snapshot. */
    void persistence(Report report) {
        report.section("Persistence")
                .line("loading", node.following().isLoading() ? 1 : 0)
                .line("async_loading", 0)
                .line("current_cow_peak", 0)
                .line("current_cow_size", 0)
                .line("current_cow_size_age", 0)
                .line("current_fork_perc", "0.00")
                .line("current_save_keys_processed", node.saves().savedKeys())
                .line("current_save_keys_total", node.saves().keysToSave())
                .line("rdb_changes_since_last_save", node.saves().changedSince())
                .line("rdb_bgsave_in_progress", node.saves().isRunning() ? 1 : 0)
                .line("rdb_last_save_time", node.saves().lastMillis() / 1000)
                .line("rdb_last_bgsave_status", node.saves().lastFailed() ? "err" : "ok")
                .line("rdb_last_bgsave_time_sec", node.saves().lastTookSeconds())
                .line("rdb_current_bgsave_time_sec", node.saves().runningSeconds())
                .line("rdb_saves", node.saves().completed())
                .line("rdb_last_cow_size", 0)
                .line("rdb_last_load_keys_expired", 0)
                .line("rdb_last_load_keys_loaded", 0)
                .line("aof_enabled", 1)
                .line("aof_rewrite_in_progress", 0)
                .line("aof_rewrite_scheduled", 0)
                .line("aof_last_rewrite_time_sec", -1)
                .line("aof_current_rewrite_time_sec", -1)
                .line("aof_last_bgrewrite_status", "ok")
                .line("aof_rewrites", 0)
                .line("aof_rewrites_consecutive_failures", 0)
                .line("aof_last_write_status", "ok")
                .line("aof_last_cow_size", 0)
                .line("module_fork_in_progress", 0)
                .line("module_fork_last_cow_size", 0)
                .line("store_has_room", node.keyspace().store().hasRoom() ? 1 : 0);
    }

    void replication(Report report) {
        Replication replication = node.replication();
        List<Replica> replicas = replication.replicas();
        long first = replication.firstOffset().orElse(0L);
        report.section("Replication");
        Optional<PrimaryPosition> primary = node.following().position();
        report.line("role", primary.isPresent() ? "slave" : "master");
        primary.ifPresent(position -> following(report, position));
        report.line("connected_slaves", replicas.size());
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(i);
            report.line(
                    "slave" + i,
                    "ip=" + replica.host() + ",port=" + replica.port() + ",state="
                            + replica.state().text() + ",offset=" + replica.acknowledged() + ",lag="
                            + replica.lagSeconds(node.clock().millis()));
        }
        report.line("master_failover_state", "no-failover")
                .line(
                        "master_replid",
                        primary.map(PrimaryPosition::streamId)
                                .filter(id -> !id.isEmpty())
                                .orElse(replication.id()))
                .line("master_replid2", "0".repeat(40))
                .line("master_repl_offset", primary.map(PrimaryPosition::offset).orElse(replication.offset()))
                .line("second_repl_offset", -1)
                .line("repl_backlog_active", replication.firstOffset().isPresent() ? 1 : 0)
                .line("repl_backlog_size", replication.backlogBytes())
                .line(
                        "repl_backlog_first_byte_offset",
                        replication.firstOffset().isPresent() ? first + 1 : 0)
                .line("repl_backlog_histlen", replication.offset() - first);
    }

    private void following(Report report, PrimaryPosition position) {
        Following link = node.following();
        boolean isUp = link.state() == Following.State.CONNECTED;
        report.line("master_host", position.host())
                .line("master_port", position.port())
                .line("master_link_status", isUp ? "up" : "down")
                .line("master_last_io_seconds_ago", isUp ? link.quietSeconds() : -1)
                .line("master_sync_in_progress", link.transfer().isPresent() ? 1 : 0)
                .line("slave_read_repl_offset", Math.max(position.offset(), link.readOffset()))
                .line("slave_repl_offset", position.offset());
        link.transfer()
                .ifPresent(transfer -> report.line("master_sync_total_bytes", Math.max(0, transfer.total()))
                        .line("master_sync_read_bytes", transfer.done())
                        .line("master_sync_left_bytes", Math.max(0, transfer.total() - transfer.done()))
                        .line("master_sync_perc", percent(transfer))
                        .line("master_sync_last_io_seconds_ago", link.quietSeconds()));
        if (!isUp) {
            long downMillis = node.clock().millis() - link.downSinceMillis();
            report.line("master_link_down_since_seconds", Math.max(0, downMillis / 1000));
        }
        report.line("slave_priority", node.settings().replicaPriority())
                .line("slave_read_only", 1)
                .line("replica_announced", node.settings().isReplicaAnnounced() ? 1 : 0);
    }

    private static String percent(Following.Transfer transfer) {
        return String.format(
                Locale.ROOT, "%.2f", transfer.total() <= 0 ? 0 : transfer.done() * 100.0 / transfer.total());
    }

    /**
     * The main thread is the event loop that answers; a process of Java has no children.
     */
    void cpu(Report report) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean measures = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        long user = measures ? threads.getCurrentThreadUserTime() : 0;
        long all = measures ? threads.getCurrentThreadCpuTime() : 0;
        ProcessTime process = ProcessTime.now();
        report.section("CPU")
                .line("used_cpu_sys", seconds(process.systemNanos()))
                .line("used_cpu_user", seconds(process.userNanos()))
                .line("used_cpu_sys_children", "0.000000")
                .line("used_cpu_user_children", "0.000000")
                .line("used_cpu_sys_main_thread", seconds(Math.max(0, all - user)))
                .line("used_cpu_user_main_thread", seconds(user));
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.6f", nanos / 1e9);
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }
}
