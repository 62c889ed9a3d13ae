package io.polytable.redis.command.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Credentials;
import io.polytable.redis.command.config.ConfigParameter.Change;
import io.polytable.redis.command.config.ConfigParameter.Kind;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.DataLimit;
import io.polytable.redis.model.keyspace.DataLimit.Frequency;
import io.polytable.redis.model.keyspace.EvictionPolicy;
import io.polytable.redis.model.packing.Packing;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.Limits;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of CONFIG. Those with a method here have an effect; the fixed ones describe this server to tools in
 * Redis' terms and cannot be changed.
 */
public final class Settings {
    private final Map<String, ConfigParameter> all = new TreeMap<>();

    private final ConfigParameter maxClients = number("maxclients", 1, 4294967295L, "10000");
    private final ConfigParameter timeout = number("timeout", 0, Integer.MAX_VALUE, "0");
    private final ConfigParameter tcpKeepalive = number("tcp-keepalive", 0, Integer.MAX_VALUE, "300");
    private final ConfigParameter requirePass = add("requirepass", new Kind.Text(), Change.FREE, "");
    private final ConfigParameter wordBytesMax = memory("proto-max-bulk-len", 1 << 20, Long.MAX_VALUE, "512mb");
    private final ConfigParameter queryBytesMax = memory("client-query-buffer-limit", 1 << 20, Long.MAX_VALUE, "1gb");
    private final ConfigParameter maxMemory = memory("maxmemory", 0, Long.MAX_VALUE, "0");
    private final ConfigParameter clientBytesMax =
            add("maxmemory-clients", new Kind.MemoryOrPercent(), Change.FREE, "0");
    private final ConfigParameter outputLimits = add(
            "client-output-buffer-limit",
            new Kind.OutputLimits(),
            Change.FREE,
            "normal 0 0 0 slave 256mb 64mb 60 pubsub 32mb 8mb 60");
    private final ConfigParameter slowerThan = number("slowlog-log-slower-than", -1, Long.MAX_VALUE, "10000");
    private final ConfigParameter slowlogLength = number("slowlog-max-len", 0, Long.MAX_VALUE, "128");
    private final ConfigParameter latencyThreshold = number("latency-monitor-threshold", 0, Long.MAX_VALUE, "0");
    private final ConfigParameter latencyTracking = add("latency-tracking", new Kind.YesNo(), Change.FREE, "yes");
    private final ConfigParameter percentiles =
            add("latency-tracking-info-percentiles", new Kind.LatencyPercentiles(), Change.FREE, "50 99 99.9");
    private final ConfigParameter sparseBytesMax = memory("hll-sparse-max-bytes", 0, Long.MAX_VALUE, "3000");
    private final ConfigParameter nodeEntriesMax = number("stream-node-max-entries", 0, Long.MAX_VALUE, "100");
    private final ConfigParameter nodeBytesMax = memory("stream-node-max-bytes", 0, Long.MAX_VALUE, "4096");
    private final ConfigParameter debug =
            add("enable-debug-command", new Kind.Choice(List.of("no", "yes", "local")), Change.NEVER, "no");
    private final ConfigParameter keyEvents = add("notify-keyspace-events", new Kind.KeyEvents(), Change.FREE, "");
    private final ConfigParameter compression = add("rdbcompression", new Kind.YesNo(), Change.FREE, "yes");
    private final ConfigParameter saveFile = add("dbfilename", new Kind.FileName(), Change.FREE, "dump.rdb");
    private final ConfigParameter trackedKeysMax = number("tracking-table-max-keys", 0, Long.MAX_VALUE, "1000000");
    private final Credentials credentials;
    private final ConfigParameter busyMillis = number("busy-reply-threshold", 0, Long.MAX_VALUE, "5000");
    private final ConfigParameter scriptBytesMax = memory("script-memory-limit", 1 << 20, 1L << 40, "256mb");
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile long stringBytesMax = Strings.LENGTH_MAX;
    private volatile OutputLimit normalOutput;
    private volatile OutputLimit subscriberOutput;
    private volatile PackingLimits packing;

    public Settings() {
        this(new Credentials());
    }

    /** @param credentials the password of all protocols, which requirepass changes */
    public Settings(Credentials credentials) {
        this.credentials = credentials;
        policies();
        steady("appendonly", new Kind.YesNo(), "yes");
        steady("bind", new Kind.Text(), "");
        steady("dir", new Kind.Text(), "");
        steady("port", new Kind.Whole(0, 65535), "0");
        steady("protected-mode", new Kind.YesNo(), "yes");
        steady("replica-read-only", new Kind.YesNo(), "yes");
        steady("save", new Kind.Text(), "");
        steady("tls-port", new Kind.Whole(0, 65535), "0");
        fixed("cluster-enabled", "no");
        fixed("daemonize", "no");
        fixed("databases", "16");
        fixed("io-threads", "1");
        fixed("logfile", "");
        fixed("replicaof", "");
        fixed("unixsocket", "");
        encodingThresholds();
        idle(IdleParameters.load());
        packing = readPacking();
        boundByHeap();
        normalOutput = OutputLimit.of("normal", outputLimits.text());
        subscriberOutput = OutputLimit.of("pubsub", outputLimits.text());
    }

    /** A parameter defined above keeps its meaning; all aliases lead to the same parameter. */
    private void idle(IdleParameters more) {
        more.parameters().forEach(parameter -> all.putIfAbsent(parameter.name(), parameter));
        more.spellings().forEach((spelling, name) -> all.put(spelling, known(name)));
    }

    /** Persistence and eviction policies, which are fixed: data is on disk, and every commit is in the log. */
    private void policies() {
        steady("appendfsync", new Kind.Choice(List.of("everysec", "always", "no")), "everysec");
        List<String> evictions = List.of(
                "volatile-lru",
                "volatile-lfu",
                "volatile-random",
                "volatile-ttl",
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random",
                "noeviction");
        add("maxmemory-policy", new Kind.Choice(evictions), Change.FREE, "noeviction");
    }

    /** The thresholds of OBJECT ENCODING and DUMP; clients' tests change them. */
    private void encodingThresholds() {
        number("hash-max-listpack-entries", 0, Long.MAX_VALUE, "512");
        memory("hash-max-listpack-value", 0, Long.MAX_VALUE, "64");
        number("list-max-listpack-size", Integer.MIN_VALUE, Integer.MAX_VALUE, "-2");
        number("set-max-intset-entries", 0, Long.MAX_VALUE, "512");
        number("set-max-listpack-entries", 0, Long.MAX_VALUE, "128");
        number("set-max-listpack-value", 0, Long.MAX_VALUE, "64");
        number("zset-max-listpack-entries", 0, Long.MAX_VALUE, "128");
        memory("zset-max-listpack-value", 0, Long.MAX_VALUE, "64");
    }

    /** The thresholds up to which Redis packs a collection. */
    public PackingLimits packing() {
        return packing;
    }

    private PackingLimits readPacking() {
        return new PackingLimits(
                packing("hash"),
                known("list-max-listpack-size").number(),
                packing("set"),
                known("set-max-intset-entries").number(),
                packing("zset"));
    }

    /** After how long a running script makes other clients get the error BUSY. */
    public long busyMillis() {
        return busyMillis.number();
    }

    /** What the values of one running script may take. */
    public long scriptBytesMax() {
        return scriptBytesMax.number();
    }

    /** The size of a stream node in Redis, which approximate trimming follows. */
    public NodeLimits streamNodes() {
        return new NodeLimits(nodeEntriesMax.number(), nodeBytesMax.number());
    }

    private Packing packing(String type) {
        return new Packing(
                known(type + "-max-listpack-entries").number(),
                known(type + "-max-listpack-value").number());
    }

    private ConfigParameter number(String name, long min, long max, String first) {
        return add(name, new Kind.Whole(min, max), Change.FREE, first);
    }

    private ConfigParameter memory(String name, long min, long max, String first) {
        return add(name, new Kind.Memory(min, max), Change.FREE, first);
    }

    private void fixed(String name, String text) {
        add(name, new Kind.Text(), Change.NEVER, text);
    }

    private void steady(String name, Kind kind, String text) {
        add(name, kind, Change.SAME, text);
    }

    private ConfigParameter add(String name, Kind kind, Change change, String first) {
        ConfigParameter setting = new ConfigParameter(name, kind, change, first);
        all.put(name, setting);
        return setting;
    }

    /** By name; a parameter with aliases is there under each of them. */
    public Map<String, ConfigParameter> all() {
        return Collections.unmodifiableMap(all);
    }

    public @Nullable ConfigParameter find(String name) {
        return all.get(name);
    }

    /**
     * Validates a client's change.
     *
     * @throws RedisError with the reason when it is not allowed
     */
    void check(String name, String text) {
        known(name).check(text);
    }

    /** Sets the parameter, for CONFIG SET and for the server's own options; the latter may set fixed ones too. */
    public void set(String name, String text) {
        known(name).set(text);
        if (known(name) == requirePass) {
            credentials.change(text.getBytes(ISO_8859_1));
        }
        packing = readPacking();
        boundByHeap();
        normalOutput = OutputLimit.of("normal", outputLimits.text());
        subscriberOutput = OutputLimit.of("pubsub", outputLimits.text());
        listeners.forEach(Runnable::run);
    }

    /** Runs the action after each change. */
    public void onChange(Runnable action) {
        listeners.add(action);
    }

    /** Lowers proto-max-bulk-len to what the heap can hold, so that CONFIG GET shows the effective limit. */
    private void boundByHeap() {
        long asked = wordBytesMax.number();
        if (asked != Limits.STRING_BYTES_MAX || asked > stringBytesMax) {
            stringBytesMax = Math.min(asked, Strings.LENGTH_MAX);
        }
        if (asked > Limits.STRING_BYTES_MAX) {
            wordBytesMax.set(Integer.toString(Limits.STRING_BYTES_MAX));
        }
    }

    private ConfigParameter known(String name) {
        ConfigParameter setting = all.get(name);
        if (setting == null) {
            throw new RedisError("Unknown option or number of arguments for CONFIG SET - '" + name + "'");
        }
        return setting;
    }

    /** The port that clients connect to. */
    public long port() {
        return known("port").number();
    }

    public long maxClients() {
        return maxClients.number();
    }

    /** Zero for never. */
    public long timeoutSeconds() {
        return timeout.number();
    }

    public long tcpKeepaliveSeconds() {
        return tcpKeepalive.number();
    }

    /** Empty for none. */
    public String requirePass() {
        return requirePass.text();
    }

    public boolean needsPassword() {
        return credentials.isRequired();
    }

    public Credentials credentials() {
        return credentials;
    }

    public long wordBytesMax() {
        return wordBytesMax.number();
    }

    /**
     * The maximum length of a string that is changed in parts: proto-max-bulk-len as requested, since such a string is
     * stored in segments.
     */
    public long stringBytesMax() {
        return stringBytesMax;
    }

    public long queryBytesMax() {
        return queryBytesMax.number();
    }

    /** Lowers a budget of all clients to maxmemory-clients, now and whenever that changes. */
    public void limitClients(Budget budget) {
        Runnable limit = () -> budget.limit(clientBytesMax(budget.plannedBytes()));
        limit.run();
        onChange(limit);
    }

    /** A percentage is one of maxmemory, or of what the server planned where Redis has no limit. */
    private long clientBytesMax(long planned) {
        long bytes = clientBytesMax.number();
        if (bytes >= 0) {
            return bytes == 0 ? planned : bytes;
        }
        long whole = maxMemory.number() == 0 ? planned : maxMemory.number();
        // In two steps: the product could overflow.
        return whole / 100 * -bytes + whole % 100 * -bytes / 100;
    }

    /** How much data the keys may have, and what happens beyond. */
    public DataLimit dataLimit() {
        Frequency frequency = new Frequency((int) known("lfu-log-factor").number(), (int)
                known("lfu-decay-time").number());
        return new DataLimit(
                maxMemory.number(),
                EvictionPolicy.of(known("maxmemory-policy").text()),
                (int) known("maxmemory-samples").number(),
                frequency);
    }

    public OutputLimit normalOutput() {
        return normalOutput;
    }

    /** The limit of subscribers. */
    public OutputLimit subscriberOutput() {
        return subscriberOutput;
    }

    /** The bytes of the stream to replicas that stay available, as far as memory allows. */
    public long backlogBytes() {
        return known("repl-backlog-size").number();
    }

    /** How long after the last replica has left they stay available; zero for ever. */
    public long backlogSeconds() {
        return known("repl-backlog-ttl").number();
    }

    public long pingReplicasSeconds() {
        return known("repl-ping-replica-period").number();
    }

    /** Where SAVE writes; empty when the server has no directory. */
    public String directory() {
        return known("dir").text();
    }

    /** The name of the file that SAVE writes. */
    public String saveFile() {
        return saveFile.text();
    }

    /** Whether DUMP compresses long strings. */
    public boolean compressesDumps() {
        return compression.isYes();
    }

    /** The published keyspace events. */
    public EventClasses keyEvents() {
        return EventClasses.of(keyEvents.number());
    }

    /** The maximum number of keys in the invalidation table; zero for no limit. */
    public long trackedKeysMax() {
        return trackedKeysMax.number();
    }

    /** Negative for never, zero for every command. */
    public long slowerThanMicros() {
        return slowerThan.number();
    }

    public long slowlogLength() {
        return slowlogLength.number();
    }

    /** Zero for off. */
    public long latencyThresholdMillis() {
        return latencyThreshold.number();
    }

    /** The percentiles in INFO's latency statistics. */
    public List<Double> latencyPercentiles() {
        return Percentiles.parse(percentiles.text());
    }

    public boolean latencyTracking() {
        return latencyTracking.isYes();
    }

    /** A sparse HyperLogLog above this size becomes dense. */
    public int sparseBytesMax() {
        return (int) Math.min(sparseBytesMax.number(), Integer.MAX_VALUE);
    }

    /** Whether DEBUG is enabled. "local" counts as yes, since remote clients need a password anyway. */
    public boolean debugAllowed() {
        return !debug.text().equals("no");
    }
}
