package io.polytable.redis.command.config;

import static io.polytable.frontend.setting.Setting.setting;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.ValueType;
import io.polytable.frontend.setting.ValueTypes;
import io.polytable.redis.command.config.ConfigParameter.Declaration;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The parameters of CONFIG that have an effect: one statement declares both the parameter and the setting {@code
 * redis.NAME} behind it.
 */
public final class ConfigTable {
    private static final List<Declaration<?>> ALL = new ArrayList<>();
    private static final long MAX = Long.MAX_VALUE;
    private static final String VALUE_MEANING = "The longest value in a packed collection.";
    private static final List<String> EVICTIONS = List.of(
            "volatile-lru",
            "volatile-lfu",
            "volatile-random",
            "volatile-ttl",
            "allkeys-lru",
            "allkeys-lfu",
            "allkeys-random",
            "noeviction");
    private static final OutputLimits OUTPUT_DEFAULT = new OutputLimits(
            new OutputLimit(0, 0, 0), new OutputLimit(256 << 20, 64 << 20, 60), new OutputLimit(32 << 20, 8 << 20, 60));

    static final Declaration<Long> MAX_CLIENTS =
            number("maxclients", 1, 4294967295L, "10000", "Redis connections open at once.");
    static final Declaration<Duration> TIMEOUT = live(
            "timeout",
            ValueTypes.duration(),
            Notation.seconds(0, Integer.MAX_VALUE),
            "0",
            "Idle time after which a client is closed; 0 is never.");
    static final Declaration<Long> TCP_KEEPALIVE = number(
            "tcp-keepalive",
            0,
            Integer.MAX_VALUE,
            "300",
            "Seconds after which an idle connection is probed; 0 is never.");

    static final Declaration<Bytes> REQUIRE_PASS = declare(
            "requirepass",
            Notation.bytes(),
            setting("redis.requirepass", password(), "", "Password that clients give with AUTH; empty asks for none.")
                    .secret()
                    .live());
    static final Declaration<String> CHANNEL_DEFAULT = choice(
            "acl-pubsub-default",
            List.of("resetchannels", "allchannels"),
            "resetchannels",
            "Whether a new user may use no channel or every channel.");
    static final Declaration<String> ACL_FILE = declare(
            "aclfile",
            Notation.text(),
            setting("redis.aclfile", ValueTypes.text(), "", "File of users, read at the start; empty for none."));
    static final Declaration<Long> WORD_BYTES_MAX = live(
            "proto-max-bulk-len",
            ValueTypes.bytes(1 << 20, MAX),
            Notation.memory(1 << 20, MAX, Limits.STRING_BYTES_MAX),
            "512mb",
            "Longest single argument; never more than 1/16 of the heap.");
    static final Declaration<Long> QUERY_BYTES_MAX =
            memory("client-query-buffer-limit", 1 << 20, "1gb", "Unparsed input that one client may have.");
    static final Declaration<Long> MAX_MEMORY =
            memory("maxmemory", 0, "0", "Memory of keys and values above which keys are evicted; 0 is no limit.");
    static final Declaration<String> MAX_MEMORY_POLICY =
            choice("maxmemory-policy", EVICTIONS, "noeviction", "Which keys are evicted.");
    static final Declaration<Long> MAX_MEMORY_SAMPLES =
            number("maxmemory-samples", 1, Integer.MAX_VALUE, "5", "Keys that are compared to evict one.");
    static final Declaration<Long> LFU_LOG_FACTOR =
            number("lfu-log-factor", 0, Integer.MAX_VALUE, "10", "How slowly the counter of a key's uses grows.");
    static final Declaration<Long> LFU_DECAY_TIME = number(
            "lfu-decay-time", 0, Integer.MAX_VALUE, "1", "Minutes after which the counter of a key's uses decreases.");
    static final Declaration<Long> CLIENT_BYTES_MAX = live(
            "maxmemory-clients",
            type(
                    "a size such as 256mb, or a percentage such as 5%; 0 for the planned memory",
                    Notation.memoryOrPercent(), 0L),
            Notation.memoryOrPercent(),
            "0",
            "Memory for the input and output of all clients together, at most the planned one.");
    static final Declaration<OutputLimits> OUTPUT_LIMITS = live(
            "client-output-buffer-limit",
            outputLimits(),
            Notation.outputLimits(),
            "0",
            "Replies a client may leave unread before it is closed; 0 is never: its requests wait until it reads.");
    static final Declaration<Long> SLOWER_THAN = number(
            "slowlog-log-slower-than",
            -1,
            MAX,
            "10000",
            "Microseconds from which a command is in the slow log; -1 is never.");
    static final Declaration<Long> SLOWLOG_LENGTH =
            number("slowlog-max-len", 0, MAX, "128", "Commands that the slow log keeps.");
    static final Declaration<Long> LATENCY_THRESHOLD = number(
            "latency-monitor-threshold", 0, MAX, "0", "Milliseconds from which LATENCY records an event; 0 is never.");
    static final Declaration<Boolean> LATENCY_TRACKING =
            yesNo("latency-tracking", true, "Whether INFO has percentiles of the latency of each command.");
    static final Declaration<List<Double>> PERCENTILES = live(
            "latency-tracking-info-percentiles",
            type("percentages from 0 to 100, separated by blanks", Notation.percentiles(), List.of()),
            Notation.percentiles(),
            "50 99 99.9",
            "The percentiles of latency in INFO.");
    static final Declaration<Long> SPARSE_BYTES_MAX =
            memory("hll-sparse-max-bytes", 0, "3000", "Size above which a sparse HyperLogLog becomes dense.");
    static final Declaration<Long> NODE_ENTRIES_MAX =
            number("stream-node-max-entries", 0, MAX, "100", "Entries of a stream's node, which XTRIM ~ follows.");
    static final Declaration<Long> NODE_BYTES_MAX =
            memory("stream-node-max-bytes", 0, "4096", "Bytes of a stream's node, which XTRIM ~ follows.");
    static final Declaration<String> DEBUG = declare(
            "enable-debug-command",
            Notation.choice(List.of("no", "yes", "local")),
            setting(
                    "redis.enable-debug-command",
                    ValueTypes.choice(List.of("no", "yes", "local")),
                    "no",
                    "Whether clients may call DEBUG."));
    static final Declaration<EventClasses> KEY_EVENTS = live(
            "notify-keyspace-events",
            new ValueType<>(
                    "letters of Redis' event classes",
                    type("", Notation.keyEvents(), EventClasses.NONE).parser(),
                    EventClasses::fullText),
            Notation.keyEvents(),
            "",
            "The events of keys that are published.");
    static final Declaration<Boolean> COMPRESSION =
            yesNo("rdbcompression", true, "Whether DUMP compresses long strings.");
    static final Declaration<String> SAVE_FILE = live(
            "dbfilename",
            type("the name of a file, without a path", Notation.fileName("dbfilename"), ""),
            Notation.fileName("dbfilename"),
            "dump.rdb",
            "The file in the data directory that SAVE and BGSAVE write.");
    static final Declaration<SavePoints> SAVE_POINTS = live(
            "save",
            type("pairs of seconds and changes, such as 900 1 300 10", Notation.savePoints(), SavePoints.NONE),
            Notation.savePoints(),
            "",
            "When an RDB file is written: after so many seconds with so many changes; empty is never.");
    static final Declaration<Long> SHUTDOWN_SECONDS = number(
            "shutdown-timeout",
            0,
            Integer.MAX_VALUE,
            "10",
            "Seconds that SHUTDOWN waits for replicas that lag behind.");
    static final Declaration<Long> REPLICAS_MIN = number(
            "min-replicas-to-write",
            0,
            Integer.MAX_VALUE,
            "0",
            "Replicas that must be connected, or writes are refused; 0 needs none.");
    static final Declaration<Long> REPLICA_LAG_SECONDS_MAX = number(
            "min-replicas-max-lag",
            0,
            Integer.MAX_VALUE,
            "10",
            "Seconds after whose silence a replica does not count.");
    static final Declaration<Long> BACKLOG_BYTES = memory(
            "repl-backlog-size",
            1,
            "1mb",
            "Bytes of the stream to replicas that stay available for one that comes back, as far as memory allows.");
    static final Declaration<Long> BACKLOG_SECONDS = number(
            "repl-backlog-ttl",
            0,
            MAX,
            "3600",
            "Seconds after which they are given up once the last replica has left; 0 is never.");
    static final Declaration<Long> PING_SECONDS = number(
            "repl-ping-replica-period",
            1,
            Integer.MAX_VALUE,
            "10",
            "Seconds after which a quiet connection to a replica is pinged.");
    static final Declaration<Long> REPLICATION_SECONDS_MAX = number(
            "repl-timeout",
            1,
            Integer.MAX_VALUE,
            "60",
            "Seconds without a byte after which the connection to a primary is given up.");
    static final Declaration<String> PRIMARY_USER = live(
            "masteruser",
            ValueTypes.text(),
            Notation.text(),
            "",
            "The user of this server on a primary; empty: default.");
    static final Declaration<Bytes> PRIMARY_PASSWORD = declare(
            "masterauth",
            Notation.bytes(),
            setting("redis.masterauth", password(), "", "The password of this server on a primary; empty for none.")
                    .secret()
                    .live());
    static final Declaration<Boolean> SERVES_STALE_DATA = yesNo(
            "replica-serve-stale-data", true, "Whether a replica serves reads without a connection to its primary.");
    static final Declaration<String> ANNOUNCED_HOST = live(
            "replica-announce-ip",
            ValueTypes.text(),
            Notation.text(),
            "",
            "The address of this replica that its primary shows; empty for the one that it sees.");
    static final Declaration<Long> ANNOUNCED_PORT = number(
            "replica-announce-port",
            0,
            65535,
            "0",
            "The port of this replica that its primary shows; 0 for redis.port.");
    static final Declaration<Long> REPLICA_PRIORITY = number(
            "replica-priority",
            0,
            Integer.MAX_VALUE,
            "100",
            "Whom Sentinel prefers to promote: the lowest; 0 is never.");
    static final Declaration<Boolean> REPLICA_ANNOUNCED =
            yesNo("replica-announced", true, "Whether Sentinel shows this replica to clients.");
    static final Declaration<Long> TRACKED_KEYS_MAX = number(
            "tracking-table-max-keys", 0, MAX, "1000000", "Keys that the invalidation table keeps; 0 is no limit.");
    static final Declaration<Long> BUSY_MILLIS = number(
            "busy-reply-threshold", 0, MAX, "5000", "Milliseconds after which a running script makes others get BUSY.");
    static final Declaration<Long> SCRIPT_BYTES_MAX = live(
            "script-memory-limit",
            ValueTypes.bytes(1 << 20, 1L << 40),
            Notation.memory(1 << 20, 1L << 40),
            "256mb",
            "Memory of the values of one running script.");
    static final Declaration<Long> ACL_LOG_LENGTH =
            number("acllog-max-len", 0, MAX, "128", "Refused calls that the ACL log keeps.");

    static final Declaration<Long> HASH_ENTRIES = packedEntries("hash-max-listpack-entries", "512");
    static final Declaration<Long> HASH_VALUE = packedBytes("hash-max-listpack-value");
    static final Declaration<Long> LIST_SIZE = number(
            "list-max-listpack-size",
            Integer.MIN_VALUE,
            Integer.MAX_VALUE,
            "-2",
            "Up to which size OBJECT ENCODING calls a list a listpack, and DUMP packs it.");
    static final Declaration<Long> SET_INTEGERS = packedEntries("set-max-intset-entries", "512");
    static final Declaration<Long> SET_ENTRIES = packedEntries("set-max-listpack-entries", "128");
    static final Declaration<Long> SET_VALUE = number("set-max-listpack-value", 0, MAX, "64", VALUE_MEANING);
    static final Declaration<Long> ZSET_ENTRIES = packedEntries("zset-max-listpack-entries", "128");
    static final Declaration<Long> ZSET_VALUE = packedBytes("zset-max-listpack-value");

    /** Of the server, which declares the setting. */
    static final Declaration<LogLevels> LOG_LEVEL =
            new Declaration<>("loglevel", LogLevels.SETTING, Notation.logLevel());

    private ConfigTable() {}

    static List<Declaration<?>> all() {
        return List.copyOf(ALL);
    }

    static List<Setting<?>> settings() {
        return ALL.stream().<Setting<?>>map(Declaration::setting).toList();
    }

    /** The password of the default user. */
    public static Setting<Bytes> passwordSetting() {
        return REQUIRE_PASS.setting();
    }

    private static Declaration<Long> number(String name, long min, long max, String first, String meaning) {
        return live(name, ValueTypes.whole(min, max), Notation.whole(min, max), first, meaning);
    }

    private static Declaration<Long> memory(String name, long min, String first, String meaning) {
        return live(name, ValueTypes.bytes(min, MAX), Notation.memory(min, MAX), first, meaning);
    }

    private static Declaration<String> choice(String name, List<String> names, String first, String meaning) {
        return live(name, ValueTypes.choice(names), Notation.choice(names), first, meaning);
    }

    private static Declaration<Boolean> yesNo(String name, boolean first, String meaning) {
        return live(name, ValueTypes.bool(), Notation.yesNo(), Boolean.toString(first), meaning);
    }

    private static Declaration<Long> packedEntries(String name, String first) {
        return number(name, 0, MAX, first, "Up to so many entries OBJECT ENCODING calls it packed, and DUMP packs it.");
    }

    private static Declaration<Long> packedBytes(String name) {
        return memory(name, 0, "64", VALUE_MEANING);
    }

    private static <T> Declaration<T> live(
            String name, ValueType<T> type, Notation<T> notation, String first, String meaning) {
        return declare(
                name, notation, setting("redis." + name, type, first, meaning).live());
    }

    private static <T> Declaration<T> declare(String name, Notation<T> notation, Setting<T> setting) {
        Declaration<T> declaration = new Declaration<>(name, setting, notation);
        ALL.add(declaration);
        return declaration;
    }

    /** CONFIG's notation as that of the settings file. */
    private static <T> ValueType<T> type(String takes, Notation<T> notation, T before) {
        return new ValueType<>(
                takes,
                text -> {
                    try {
                        return Optional.of(notation.parse(text, before));
                    } catch (RedisError invalid) {
                        return Optional.empty();
                    }
                },
                notation::show);
    }

    /** A number of bytes alone is the hard limit of normal clients. */
    private static ValueType<OutputLimits> outputLimits() {
        ValueType<OutputLimits> classes = type(
                "a size such as 256mb for normal clients, or CLASS HARD SOFT SECONDS for each class, as in Redis",
                Notation.outputLimits(),
                OUTPUT_DEFAULT);
        return new ValueType<>(
                classes.takes(),
                text -> ByteSize.parse(text)
                        .map(hard -> OUTPUT_DEFAULT.withNormal(new OutputLimit(hard, 0, 0)))
                        .or(() -> classes.parse(text)),
                classes.writer());
    }

    private static ValueType<Bytes> password() {
        return new ValueType<>("any text", text -> Optional.of(Bytes.utf8(text)), ConfigTable::utf8);
    }

    private static String utf8(Bytes password) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(password.toByteArray()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new RedisError("passwords must be valid UTF-8");
        }
    }
}
