package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.KB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.address;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.bytesOrAuto;
import static io.polytable.server.config.ValueTypes.integer;
import static io.polytable.server.config.ValueTypes.oneOf;
import static io.polytable.server.config.ValueTypes.path;
import static io.polytable.server.config.ValueTypes.port;
import static io.polytable.server.config.ValueTypes.positiveDuration;
import static io.polytable.server.config.ValueTypes.text;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The process itself: data directory, addresses, memory. */
public final class ServerKeys {
    /** Below this, RocksDB's write buffers leave no space for its block cache. */
    public static final long BLOCKS_BYTES_MIN = 128 * MB;

    private static final Declarations KEYS = new Declarations();

    public static final Key<Path> DATA_DIR = KEYS.add(
            key("data.dir", path(), "polytable-data", "The directory that holds everything; created when missing."));

    public static final Key<InetAddress> BIND_ADDRESS = KEYS.add(key(
            "bind.address",
            address(),
            "127.0.0.1",
            "Bind address for all protocols; beyond loopback only with credentials."));
    public static final Key<Boolean> NETWORK_TRUSTED = KEYS.add(key(
            "network.trusted",
            bool(),
            "false",
            "Allows protocols without credentials (HBase, ZooKeeper) beyond loopback."));

    public static final Key<LogLevels> LOG_LEVEL = KEYS.add(
            key("log.level", LogLevels.type(), "warn", "How much is logged, for example warn,io.polytable.sql=debug."));
    public static final Key<String> LOG_FILE =
            KEYS.add(key("log.file", text(), "", "File for the log; empty is standard error. SIGHUP opens it again."));
    public static final Key<Long> LOG_FILE_BYTES_MAX = KEYS.add(
            key("log.file.max.bytes", bytes(MB, TB), "100mb", "Size at which the log file is rotated and compressed."));
    public static final Key<Duration> LOG_FILE_AGE_MAX = KEYS.add(key(
            "log.file.max.age",
            positiveDuration(),
            "30d",
            "Rotated log files older than this are deleted; in whole days."));
    public static final Key<LogFormat> LOG_FORMAT =
            KEYS.add(key("log.format", oneOf(LogFormat.class), "text", "Lines of text, or one JSON object per line."));

    /** Applied by the start script, before the JVM starts; here it is only checked and shown. */
    public static final Key<OptionalLong> MEMORY_HEAP = KEYS.add(key(
            "memory.heap", bytesOrAuto(64 * MB, TB), "auto", "Java heap; auto is a quarter of the machine's memory."));

    public static final Key<OptionalLong> MEMORY_ROWS = KEYS.add(key(
            "memory.rows", bytesOrAuto(32 * MB, TB), "auto", "Heap for fresh and hot rows; auto is 2/5 of the heap."));
    public static final Key<OptionalLong> MEMORY_BLOCKS = KEYS.add(key(
            "memory.blocks",
            bytesOrAuto(BLOCKS_BYTES_MIN, TB),
            "auto",
            "Memory outside the heap for RocksDB's cache and write buffers; auto is 1/8 of the machine's."));

    public static final Key<Integer> HTTP_PORT = KEYS.add(
            key("http.port", port(), "8080", "Port for health, metrics and administration; 0 picks a free one."));
    public static final Key<Integer> HTTP_CONNECTIONS_MAX =
            KEYS.add(key("http.max.connections", integer(1, 100_000), "1000", "HTTP connections open at once."));
    public static final Key<Long> HTTP_REQUEST_BYTES_MAX =
            KEYS.add(key("http.max.request.bytes", bytes(KB, GB), "1mb", "Largest HTTP request body."));
    public static final Key<Long> HTTP_HEADER_BYTES_MAX =
            KEYS.add(key("http.max.header.bytes", bytes(KB, MB), "16kb", "Largest HTTP header, all fields together."));
    public static final Key<Duration> HTTP_REQUEST_TIMEOUT = KEYS.add(key(
            "http.request.timeout",
            positiveDuration(),
            "10s",
            "Time limit for a client to send a request or read a reply."));
    public static final Key<Duration> HTTP_IDLE_TIMEOUT = KEYS.add(
            key("http.idle.timeout", positiveDuration(), "60s", "Time after which an unused HTTP connection closes."));

    private ServerKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
