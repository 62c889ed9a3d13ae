package io.polytable.redis.command.config;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.setting.Given;
import io.polytable.frontend.setting.LiveValue;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.redis.command.config.ConfigParameter.Change;
import io.polytable.redis.command.config.ConfigParameter.Declaration;
import io.polytable.redis.command.config.ConfigParameter.Description;
import io.polytable.redis.command.config.ConfigParameter.OfSetting;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.keyspace.DataLimit;
import io.polytable.redis.model.keyspace.DataLimit.Frequency;
import io.polytable.redis.model.keyspace.EvictionPolicy;
import io.polytable.redis.model.packing.Packing;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.stream.entry.NodeLimits;
import io.polytable.redis.model.string.Strings;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of CONFIG on a server: the settings of {@link ConfigTable}, and descriptions of this server to tools in
 * Redis' terms, which cannot be changed. Thread safe.
 */
public final class RedisConfig implements AutoCloseable {
    private static final String WHO = "CONFIG SET";

    /** The weakest first. */
    private static final List<String> SYNCS = List.of("no", "everysec", "always");

    private final Settings settings;
    private final Map<String, ConfigParameter> all = new TreeMap<>();
    private final List<Settings.Registration> registrations = new ArrayList<>();

    // Read for every command or more often.
    private final LiveValue<Long> busyMillis;
    private final LiveValue<Long> scriptBytesMax;
    private final LiveValue<Duration> timeout;
    private final LiveValue<Long> wordBytesMax;
    private final LiveValue<Long> queryBytesMax;
    private final LiveValue<OutputLimits> outputLimits;
    private final LiveValue<Long> slowerThan;
    private final LiveValue<Long> latencyThreshold;
    private final LiveValue<Long> replicasMin;
    private volatile PackingLimits packing;
    private volatile DataLimit dataLimit;

    /** On the defaults. */
    public RedisConfig() {
        this(Settings.defaults(RedisSettings.all()));
    }

    public RedisConfig(Settings settings) {
        this.settings = settings;
        IdleParameters idle = IdleParameters.load();
        ConfigTable.all().forEach(this::add);
        IdleParameters.declarations().forEach(this::add);
        idle.descriptions().forEach(this::describe);
        // Not where Redis runs without a server around it: then the program around it decides what is logged.
        if (settings.catalog().byName(LogLevels.SETTING.name()).isPresent()) {
            add(ConfigTable.LOG_LEVEL);
        }
        persistence();
        number("port", Change.SAME, 0, 65535, 0);
        number("tls-port", Change.SAME, 0, 65535, 0);
        number("databases", Change.NEVER, 1, Integer.MAX_VALUE, settings.get(RedisSettings.DATABASES));
        describe(new Description<>("replica-read-only", Notation.yesNo(), Change.SAME, true));
        text("bind", Change.SAME, "");
        text("dir", Change.SAME, settings.home().toString());
        List.of("logfile", "replicaof", "unixsocket").forEach(name -> text(name, Change.NEVER, ""));
        List.of("cluster-enabled", "daemonize").forEach(name -> text(name, Change.NEVER, "no"));
        text("io-threads", Change.NEVER, "1");
        idle.spellings().forEach((spelling, name) -> all.put(spelling, known(name)));
        busyMillis = live(ConfigTable.BUSY_MILLIS);
        scriptBytesMax = live(ConfigTable.SCRIPT_BYTES_MAX);
        timeout = live(ConfigTable.TIMEOUT);
        wordBytesMax = live(ConfigTable.WORD_BYTES_MAX);
        queryBytesMax = live(ConfigTable.QUERY_BYTES_MAX);
        outputLimits = live(ConfigTable.OUTPUT_LIMITS);
        slowerThan = live(ConfigTable.SLOWER_THAN);
        latencyThreshold = live(ConfigTable.LATENCY_THRESHOLD);
        replicasMin = live(ConfigTable.REPLICAS_MIN);
        packing = readPacking();
        dataLimit = readDataLimit();
        onChange(() -> {
            packing = readPacking();
            dataLimit = readDataLimit();
        });
    }

    private <T> void add(Declaration<T> declaration) {
        all.put(declaration.name(), new OfSetting<>(declaration, live(declaration)));
    }

    private <T> Description<T> describe(Description<T> description) {
        all.put(description.name(), description);
        return description;
    }

    private void number(String name, Change change, long min, long max, long value) {
        describe(new Description<>(name, Notation.whole(min, max), change, value));
    }

    private void text(String name, Change change, String value) {
        describe(new Description<>(name, Notation.text(), change, value));
    }

    /** Every commit is in the log, as durable as the server's own settings say. A client may ask for less. */
    private void persistence() {
        describe(new Description<>("appendonly", Notation.yesNo(), Change.ANY, true));
        describe(new Description<>(
                "appendfsync",
                Notation.choice(List.of("everysec", "always", "no")),
                Change.LESS,
                "everysec",
                SYNCS::indexOf));
    }

    private <T> LiveValue<T> live(Declaration<T> declaration) {
        return settings.live(declaration.setting());
    }

    private <T> T get(Declaration<T> declaration) {
        return live(declaration).get();
    }

    /** Finds the parameter of that name, as CONFIG on these settings would. */
    public static @Nullable ConfigParameter parameter(Settings settings, String name) {
        try (RedisConfig config = new RedisConfig(settings)) {
            return config.find(name);
        }
    }

    /** By name; a parameter with aliases is there under each of them. */
    public Map<String, ConfigParameter> all() {
        return Collections.unmodifiableMap(all);
    }

    public @Nullable ConfigParameter find(String name) {
        return all.get(name);
    }

    /**
     * Changes parameters that were {@linkplain ConfigParameter#check checked}, all or none.
     *
     * @throws RedisError when one is not allowed after all
     */
    void change(Map<String, String> texts) {
        Map<Setting<?>, String> changes = new HashMap<>();
        texts.forEach((name, text) -> {
            if (known(name) instanceof OfSetting<?> parameter) {
                changes.put(parameter.declaration().setting(), parameter.fileText(text));
            }
        });
        try {
            settings.change(changes, WHO);
        } catch (SettingException invalid) {
            throw new RedisError(String.valueOf(invalid.getMessage()));
        }
        texts.forEach((name, text) -> {
            if (known(name) instanceof Description<?> description) {
                description.show(text);
            }
        });
    }

    /** Changes one parameter. */
    public void set(String name, String text) {
        change(Map.of(name, text));
    }

    /**
     * Writes what was changed into the settings file.
     *
     * @throws RedisError if there is none, or it cannot be written
     */
    void rewrite() {
        boolean isWritten;
        try {
            isWritten = settings.rewrite();
        } catch (SettingException failure) {
            throw new RedisError("Rewriting config file: " + failure.getMessage());
        }
        if (!isWritten) {
            throw new RedisError("The server is running without a config file");
        }
    }

    /** Sets a parameter that describes this server. */
    public void describe(String name, String text) {
        if (known(name) instanceof Description<?> description) {
            description.describe(text);
        } else {
            throw new IllegalStateException(name + " is a setting");
        }
    }

    /** Runs the action after each change. */
    public void onChange(Runnable action) {
        registrations.add(settings.onChange(action));
    }

    private ConfigParameter known(String name) {
        ConfigParameter parameter = all.get(name);
        if (parameter == null) {
            throw new RedisError("Unknown option or number of arguments for CONFIG SET - '" + name + "'");
        }
        return parameter;
    }

    /** The thresholds up to which Redis packs a collection. */
    public PackingLimits packing() {
        return packing;
    }

    private PackingLimits readPacking() {
        return new PackingLimits(
                new Packing(get(ConfigTable.HASH_ENTRIES), get(ConfigTable.HASH_VALUE)),
                get(ConfigTable.LIST_SIZE),
                new Packing(get(ConfigTable.SET_ENTRIES), get(ConfigTable.SET_VALUE)),
                get(ConfigTable.SET_INTEGERS),
                new Packing(get(ConfigTable.ZSET_ENTRIES), get(ConfigTable.ZSET_VALUE)));
    }

    /** After how long a running script makes other clients get the error BUSY. */
    public long busyMillis() {
        return busyMillis.get();
    }

    /** What the values of one running script may take. */
    public long scriptBytesMax() {
        return scriptBytesMax.get();
    }

    /** The size of a stream node in Redis, which approximate trimming follows. */
    public NodeLimits streamNodes() {
        return new NodeLimits(get(ConfigTable.NODE_ENTRIES_MAX), get(ConfigTable.NODE_BYTES_MAX));
    }

    /** The port that clients connect to. */
    public long port() {
        return Long.parseLong(known("port").text());
    }

    public long maxClients() {
        return get(ConfigTable.MAX_CLIENTS);
    }

    /** Zero for never. */
    public long timeoutMillis() {
        return timeout.get().toMillis();
    }

    public long tcpKeepaliveSeconds() {
        return get(ConfigTable.TCP_KEEPALIVE);
    }

    /** Receives the password of the default user whenever requirepass is set, and at once if there is one already. */
    // The same text given twice is two changes.
    @SuppressWarnings("ReferenceEquality")
    public void onPassword(Consumer<byte[]> sink) {
        AtomicReference<Given> seen = new AtomicReference<>(settings.given(ConfigTable.passwordSetting()));
        if (!get(ConfigTable.REQUIRE_PASS).isEmpty()) {
            sink.accept(get(ConfigTable.REQUIRE_PASS).toByteArray());
        }
        onChange(() -> {
            Given now = settings.given(ConfigTable.passwordSetting());
            // Also when the same password is set again: rules may have given the user another one meanwhile.
            if (seen.getAndSet(now) != now) {
                sink.accept(get(ConfigTable.REQUIRE_PASS).toByteArray());
            }
        });
    }

    /** Whether new users may use every channel. */
    public boolean everyChannelByDefault() {
        return get(ConfigTable.CHANNEL_DEFAULT).equals("allchannels");
    }

    /** The path of the ACL file; empty for none. */
    public String aclFile() {
        return get(ConfigTable.ACL_FILE);
    }

    /** The longest argument that a client may send, which the heap bounds too. */
    public long wordBytesMax() {
        return Math.min(wordBytesMax.get(), Limits.STRING_BYTES_MAX);
    }

    /**
     * The maximum length of a string that is changed in parts: proto-max-bulk-len as requested, since such a string is
     * stored in segments.
     */
    public long stringBytesMax() {
        return Math.min(wordBytesMax.get(), Strings.LENGTH_MAX);
    }

    public long queryBytesMax() {
        return queryBytesMax.get();
    }

    /** Lowers a budget of all clients to maxmemory-clients, now and whenever that changes. */
    public void limitClients(Budget budget) {
        Runnable limit = () -> budget.limit(clientBytesMax(budget.plannedBytes()));
        limit.run();
        onChange(limit);
    }

    /** A percentage is one of maxmemory, or of what the server planned where Redis has no limit. */
    private long clientBytesMax(long planned) {
        long bytes = get(ConfigTable.CLIENT_BYTES_MAX);
        if (bytes >= 0) {
            return bytes == 0 ? planned : bytes;
        }
        long whole = get(ConfigTable.MAX_MEMORY) == 0 ? planned : get(ConfigTable.MAX_MEMORY);
        // In two steps: the product could overflow.
        return whole / 100 * -bytes + whole % 100 * -bytes / 100;
    }

    /** How much data the keys may have, and what happens beyond. */
    public DataLimit dataLimit() {
        return dataLimit;
    }

    private DataLimit readDataLimit() {
        return new DataLimit(
                get(ConfigTable.MAX_MEMORY),
                EvictionPolicy.of(get(ConfigTable.MAX_MEMORY_POLICY)),
                get(ConfigTable.MAX_MEMORY_SAMPLES).intValue(),
                new Frequency(
                        get(ConfigTable.LFU_LOG_FACTOR).intValue(),
                        get(ConfigTable.LFU_DECAY_TIME).intValue()));
    }

    public OutputLimit normalOutput() {
        return outputLimits.get().normal();
    }

    /** The limit of subscribers. */
    public OutputLimit subscriberOutput() {
        return outputLimits.get().subscriber();
    }

    /** Where SAVE writes; empty when the server has no directory. */
    public String directory() {
        return known("dir").text();
    }

    /** Where files of a synchronization are. */
    public Path temporaryDirectory() {
        return Path.of(directory().isEmpty() ? System.getProperty("java.io.tmpdir") : directory());
    }

    /** The name of the file that SAVE writes. */
    public String saveFile() {
        return get(ConfigTable.SAVE_FILE);
    }

    /** When that happens without a request. */
    public SavePoints savePoints() {
        return get(ConfigTable.SAVE_POINTS);
    }

    /** How long SHUTDOWN waits for replicas that lag behind. */
    public long shutdownMillis() {
        return TimeUnit.SECONDS.toMillis(get(ConfigTable.SHUTDOWN_SECONDS));
    }

    /** The number of replicas without which writes are refused; zero for none. */
    public long replicasMin() {
        return replicasMin.get();
    }

    /** A replica that was silent for longer does not count. */
    public long replicaLagSecondsMax() {
        return get(ConfigTable.REPLICA_LAG_SECONDS_MAX);
    }

    /** The bytes of the stream to replicas that stay available, as far as memory allows. */
    public long backlogBytes() {
        return get(ConfigTable.BACKLOG_BYTES);
    }

    /** How long after the last replica has left they stay available; zero for no limit. */
    public long backlogSeconds() {
        return get(ConfigTable.BACKLOG_SECONDS);
    }

    /** After so long without a byte a connection between primary and replica is given up. */
    public long replicationTimeoutMillis() {
        return TimeUnit.SECONDS.toMillis(get(ConfigTable.REPLICATION_SECONDS_MAX));
    }

    /** The user that this server is to a primary; empty for the default user. */
    public String primaryUser() {
        return get(ConfigTable.PRIMARY_USER);
    }

    /** Empty for none. */
    public Bytes primaryPassword() {
        return get(ConfigTable.PRIMARY_PASSWORD);
    }

    /** Whether a replica answers reads without a connection to its primary. */
    public boolean servesStaleData() {
        return get(ConfigTable.SERVES_STALE_DATA);
    }

    /** The address that a primary shows of this replica; empty for the one it sees. */
    public String announcedHost() {
        return get(ConfigTable.ANNOUNCED_HOST);
    }

    public long announcedPort() {
        long announced = get(ConfigTable.ANNOUNCED_PORT);
        return announced == 0 ? port() : announced;
    }

    public long replicaPriority() {
        return get(ConfigTable.REPLICA_PRIORITY);
    }

    public boolean isReplicaAnnounced() {
        return get(ConfigTable.REPLICA_ANNOUNCED);
    }

    public long pingReplicasSeconds() {
        return get(ConfigTable.PING_SECONDS);
    }

    /** Whether DUMP compresses long strings. */
    public boolean compressesDumps() {
        return get(ConfigTable.COMPRESSION);
    }

    /** The published keyspace events. */
    public EventClasses keyEvents() {
        return get(ConfigTable.KEY_EVENTS);
    }

    /** The maximum number of keys in the invalidation table; zero for no limit. */
    public long trackedKeysMax() {
        return get(ConfigTable.TRACKED_KEYS_MAX);
    }

    /** Negative for never, zero for every command. */
    public long slowerThanMicros() {
        return slowerThan.get();
    }

    public long slowlogLength() {
        return get(ConfigTable.SLOWLOG_LENGTH);
    }

    public long aclLogLength() {
        return get(ConfigTable.ACL_LOG_LENGTH);
    }

    /** Zero for off. */
    public long latencyThresholdMillis() {
        return latencyThreshold.get();
    }

    /** The percentiles in INFO's latency statistics. */
    public List<Double> latencyPercentiles() {
        return get(ConfigTable.PERCENTILES);
    }

    public boolean latencyTracking() {
        return get(ConfigTable.LATENCY_TRACKING);
    }

    /** A sparse HyperLogLog above this size becomes dense. */
    public int sparseBytesMax() {
        return (int) Math.min(get(ConfigTable.SPARSE_BYTES_MAX), Integer.MAX_VALUE);
    }

    /** Whether DEBUG is enabled. "local" counts as yes, since remote clients need a password anyway. */
    public boolean debugAllowed() {
        return !get(ConfigTable.DEBUG).equals("no");
    }

    /** No longer follows the settings. */
    @Override
    public void close() {
        registrations.forEach(Settings.Registration::close);
    }
}
