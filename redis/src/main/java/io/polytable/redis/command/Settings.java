package io.polytable.redis.command;

import io.polytable.redis.command.Setting.Kind;
import io.polytable.redis.model.RedisError;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of CONFIG. Those with a method here are obeyed; the fixed ones tell tools how this server is, in the
 * words of Redis, and cannot be set.
 */
public final class Settings {
    /** How many bytes an array may have, with room for what stands around a word. */
    private static final long ARRAY_BYTES_MAX = Integer.MAX_VALUE - 1024;

    private final Map<String, Setting> all = new TreeMap<>();

    private final Setting maxClients = number("maxclients", 1, 4294967295L, "10000");
    private final Setting timeout = number("timeout", 0, Integer.MAX_VALUE, "0");
    private final Setting tcpKeepalive = number("tcp-keepalive", 0, Integer.MAX_VALUE, "300");
    private final Setting requirePass = add("requirepass", new Kind.Text(), false, "");
    private final Setting wordBytesMax = memory("proto-max-bulk-len", 1 << 20, Long.MAX_VALUE, "512mb");
    private final Setting queryBytesMax = memory("client-query-buffer-limit", 1 << 20, Long.MAX_VALUE, "1gb");
    private final Setting outputLimits = add(
            "client-output-buffer-limit",
            new Kind.OutputLimits(),
            false,
            "normal 1gb 0 0 slave 256mb 64mb 60 pubsub 32mb 8mb 60");
    private final Setting slowerThan = number("slowlog-log-slower-than", -1, Long.MAX_VALUE, "10000");
    private final Setting slowlogLength = number("slowlog-max-len", 0, Long.MAX_VALUE, "128");
    private final Setting latencyThreshold = number("latency-monitor-threshold", 0, Long.MAX_VALUE, "0");
    private final Setting latencyTracking = add("latency-tracking", new Kind.YesNo(), false, "yes");
    private final Setting debug =
            add("enable-debug-command", new Kind.Choice(List.of("no", "yes", "local")), true, "no");
    private volatile OutputLimit normalOutput;

    public Settings() {
        List<String> durabilities = List.of("everysec", "always", "no");
        add("appendfsync", new Kind.Choice(durabilities), true, "everysec");
        add("maxmemory-policy", new Kind.Choice(List.of("noeviction")), true, "noeviction");
        fixed("appendonly", "yes");
        fixed("bind", "");
        fixed("cluster-enabled", "no");
        fixed("daemonize", "no");
        fixed("databases", "16");
        fixed("dbfilename", "");
        fixed("dir", "");
        fixed("io-threads", "1");
        fixed("list-max-listpack-size", "-2");
        fixed("list-max-ziplist-size", "-2");
        fixed("logfile", "");
        fixed("maxmemory", "0");
        fixed("notify-keyspace-events", "");
        fixed("port", "0");
        fixed("protected-mode", "yes");
        fixed("replica-read-only", "yes");
        fixed("replicaof", "");
        fixed("save", "");
        fixed("slave-read-only", "yes");
        fixed("tls-port", "0");
        fixed("unixsocket", "");
        encodingThresholds();
        normalOutput = OutputLimit.of("normal", outputLimits.text());
    }

    /** What OBJECT ENCODING goes by; tests of clients set them. */
    private void encodingThresholds() {
        number("hash-max-listpack-entries", 0, Long.MAX_VALUE, "512");
        number("hash-max-listpack-value", 0, Long.MAX_VALUE, "64");
        number("set-max-intset-entries", 0, Long.MAX_VALUE, "512");
        number("set-max-listpack-entries", 0, Long.MAX_VALUE, "128");
        number("set-max-listpack-value", 0, Long.MAX_VALUE, "64");
        number("zset-max-listpack-entries", 0, Long.MAX_VALUE, "128");
        number("zset-max-listpack-value", 0, Long.MAX_VALUE, "64");
    }

    private Setting number(String name, long min, long max, String first) {
        return add(name, new Kind.Whole(min, max), false, first);
    }

    private Setting memory(String name, long min, long max, String first) {
        return add(name, new Kind.Memory(min, max), false, first);
    }

    private void fixed(String name, String text) {
        add(name, new Kind.Text(), true, text);
    }

    private Setting add(String name, Kind kind, boolean fixed, String first) {
        Setting setting = new Setting(name, kind, fixed, first);
        all.put(name, setting);
        return setting;
    }

    /** By name. */
    public Collection<Setting> all() {
        return all.values();
    }

    public @Nullable Setting find(String name) {
        return all.get(name);
    }

    /** What CONFIG SET does, also for what the server was started with; fixed ones too. */
    public void set(String name, String text) {
        Setting setting = all.get(name);
        if (setting == null) {
            throw new RedisError("Unknown option or number of arguments for CONFIG SET - '" + name + "'");
        }
        setting.set(text);
        normalOutput = OutputLimit.of("normal", outputLimits.text());
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
        return Math.min(wordBytesMax.number(), ARRAY_BYTES_MAX);
    }

    public long queryBytesMax() {
        return queryBytesMax.number();
    }

    public OutputLimit normalOutput() {
        return normalOutput;
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

    /** Whether DEBUG runs; "local" counts as yes, since strangers need a password anyway. */
    boolean debugAllowed() {
        return !debug.text().equals("no");
    }
}
