package io.polytable.redis.command.config;

import io.polytable.redis.command.config.ConfigParameter.Change;
import io.polytable.redis.command.config.ConfigParameter.Kind;
import io.polytable.redis.model.RedisError;
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
 * The parameters of CONFIG. Those with a method here are obeyed; the fixed ones tell tools how this server is, in the
 * words of Redis, and cannot be set.
 */
public final class Settings {
    /** Of the heap, where Redis has no limit: what all clients together may hold of their requests. */
    private static final int INPUT_SHARE = 6;

    /** Likewise of their replies, which lie outside of the heap. */
    private static final int OUTPUT_SHARE = 4;

    private final Map<String, ConfigParameter> all = new TreeMap<>();

    private final ConfigParameter maxClients = number("maxclients", 1, 4294967295L, "10000");
    private final ConfigParameter timeout = number("timeout", 0, Integer.MAX_VALUE, "0");
    private final ConfigParameter tcpKeepalive = number("tcp-keepalive", 0, Integer.MAX_VALUE, "300");
    private final ConfigParameter requirePass = add("requirepass", new Kind.Text(), Change.FREE, "");
    private final ConfigParameter wordBytesMax = memory("proto-max-bulk-len", 1 << 20, Long.MAX_VALUE, "512mb");
    private final ConfigParameter queryBytesMax = memory("client-query-buffer-limit", 1 << 20, Long.MAX_VALUE, "1gb");
    private final ConfigParameter inputBytesMax = memory("maxmemory-clients", 0, Long.MAX_VALUE, "0");
    private final ConfigParameter outputLimits = add(
            "client-output-buffer-limit",
            new Kind.OutputLimits(),
            Change.FREE,
            "normal 0 0 0 slave 256mb 64mb 60 pubsub 32mb 8mb 60");
    private final ConfigParameter slowerThan = number("slowlog-log-slower-than", -1, Long.MAX_VALUE, "10000");
    private final ConfigParameter slowlogLength = number("slowlog-max-len", 0, Long.MAX_VALUE, "128");
    private final ConfigParameter latencyThreshold = number("latency-monitor-threshold", 0, Long.MAX_VALUE, "0");
    private final ConfigParameter latencyTracking = add("latency-tracking", new Kind.YesNo(), Change.FREE, "yes");
    private final ConfigParameter sparseBytesMax = memory("hll-sparse-max-bytes", 0, Long.MAX_VALUE, "3000");
    private final ConfigParameter nodeEntriesMax = number("stream-node-max-entries", 0, Long.MAX_VALUE, "100");
    private final ConfigParameter nodeBytesMax = memory("stream-node-max-bytes", 0, Long.MAX_VALUE, "4096");
    private final ConfigParameter debug =
            add("enable-debug-command", new Kind.Choice(List.of("no", "yes", "local")), Change.NEVER, "no");
    private final ConfigParameter keyEvents = add("notify-keyspace-events", new Kind.KeyEvents(), Change.FREE, "");
    private final ConfigParameter compression = add("rdbcompression", new Kind.YesNo(), Change.FREE, "yes");
    private final ConfigParameter trackedKeysMax = number("tracking-table-max-keys", 0, Long.MAX_VALUE, "1000000");
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile long stringBytesMax = Strings.LENGTH_MAX;
    private volatile OutputLimit normalOutput;
    private volatile OutputLimit subscriberOutput;
    private volatile PackingLimits packing;

    public Settings() {
        policies();
        steady("appendonly", new Kind.YesNo(), "yes");
        steady("bind", new Kind.Text(), "");
        steady("dbfilename", new Kind.Text(), "");
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

    /** A parameter that got a meaning above is left as it is; every spelling leads to the same parameter. */
    private void idle(IdleParameters more) {
        more.parameters().forEach(parameter -> all.putIfAbsent(parameter.name(), parameter));
        more.spellings().forEach((spelling, name) -> all.put(spelling, known(name)));
    }

    /** Data lives on disk and every commit in the log: what Redis offers here has one answer. */
    private void policies() {
        steady("appendfsync", new Kind.Choice(List.of("everysec", "always", "no")), "everysec");
        steady("maxmemory", new Kind.Memory(0, Long.MAX_VALUE), "0");
        List<String> evictions = List.of(
                "volatile-lru",
                "volatile-lfu",
                "volatile-random",
                "volatile-ttl",
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random",
                "noeviction");
        steady("maxmemory-policy", new Kind.Choice(evictions), "noeviction");
    }

    /** What OBJECT ENCODING and DUMP go by; tests of clients set them. */
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

    /** When Redis would pack a collection. */
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

    /** Where Redis would begin another node of a stream: what approximate trimming goes by. */
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

    /** By name, one with several spellings under each of them. */
    public Map<String, ConfigParameter> all() {
        return Collections.unmodifiableMap(all);
    }

    public @Nullable ConfigParameter find(String name) {
        return all.get(name);
    }

    /**
     * Says whether a client may set it so.
     *
     * @throws RedisError with the reason when not
     */
    void check(String name, String text) {
        known(name).check(text);
    }

    /** What CONFIG SET does, also for what the server was started with; fixed ones too. */
    public void set(String name, String text) {
        known(name).set(text);
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

    /** CONFIG GET shows what is obeyed: a word that the heap cannot carry is refused whatever was asked for. */
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

    /** The one that clients connect to. */
    public long port() {
        return known("port").number();
    }

    public long maxClients() {
        return maxClients.number();
    }

    /** After how many idle seconds a connection ends; zero for never. */
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
        return !requirePass.text().isEmpty();
    }

    public long wordBytesMax() {
        return wordBytesMax.number();
    }

    /** How long a string may be that is changed in parts: proto-max-bulk-len as it was asked for, since it is in segments. */
    public long stringBytesMax() {
        return stringBytesMax;
    }

    public long queryBytesMax() {
        return queryBytesMax.number();
    }

    /** Of all clients together. Where Redis has no limit, this is a sixth of the heap. */
    public long inputBytesMax() {
        long bytes = inputBytesMax.number();
        return bytes == 0 ? Runtime.getRuntime().maxMemory() / INPUT_SHARE : bytes;
    }

    /** Of the replies of all clients together. Where Redis has no limit, this is a quarter of the heap's size, beside the heap. */
    public long outputBytesMax() {
        long bytes = inputBytesMax.number();
        return bytes == 0 ? Runtime.getRuntime().maxMemory() / OUTPUT_SHARE : bytes;
    }

    public OutputLimit normalOutput() {
        return normalOutput;
    }

    /** Of clients that are subscribed to something. */
    public OutputLimit subscriberOutput() {
        return subscriberOutput;
    }

    /** Whether long strings in what DUMP answers are compressed. */
    public boolean compressesDumps() {
        return compression.isYes();
    }

    /** Which keyspace events are published. */
    public EventClasses keyEvents() {
        return EventClasses.of(keyEvents.number());
    }

    /** How many keys the invalidation table may hold; zero for no limit. */
    public long trackedKeysMax() {
        return trackedKeysMax.number();
    }

    /** In microseconds; negative for never, zero for every command. */
    public long slowerThanMicros() {
        return slowerThan.number();
    }

    public long slowlogLength() {
        return slowlogLength.number();
    }

    /** In milliseconds; zero for off. */
    public long latencyThresholdMillis() {
        return latencyThreshold.number();
    }

    public boolean latencyTracking() {
        return latencyTracking.isYes();
    }

    /** Beyond so many bytes a HyperLogLog becomes dense. */
    public int sparseBytesMax() {
        return (int) Math.min(sparseBytesMax.number(), Integer.MAX_VALUE);
    }

    /** Whether DEBUG runs; "local" counts as yes, since strangers need a password anyway. */
    public boolean debugAllowed() {
        return !debug.text().equals("no");
    }
}
