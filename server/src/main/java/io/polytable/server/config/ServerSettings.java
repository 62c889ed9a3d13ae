package io.polytable.server.config;

import static io.polytable.frontend.setting.ByteSize.GB;
import static io.polytable.frontend.setting.ByteSize.KB;
import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.ByteSize.TB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.address;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.bytesOrAuto;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.oneOf;
import static io.polytable.frontend.setting.ValueTypes.path;
import static io.polytable.frontend.setting.ValueTypes.port;
import static io.polytable.frontend.setting.ValueTypes.positiveDuration;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.http.Cors;
import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The process itself: data directory, addresses, memory. */
public final class ServerSettings {
    /** Below this, RocksDB's write buffers leave no space for its block cache. */
    public static final long BLOCKS_BYTES_MIN = 128 * MB;

    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Path> DATA_DIR = SETTINGS.add(setting(
            "data.dir", path(), "polytable-data", "The directory that holds everything; created when missing."));

    public static final Setting<InetAddress> BIND_ADDRESS = SETTINGS.add(setting(
            "bind.address",
            address(),
            "127.0.0.1",
            "Bind address for all protocols; beyond loopback only with credentials."));
    public static final Setting<Boolean> NETWORK_TRUSTED = SETTINGS.add(
            setting(
                    "network.trusted",
                    bool(),
                    "false",
                    "Everybody on the network may be believed: ports may be unencrypted beyond loopback, and HBase takes names for granted."));

    public static final Setting<LogLevels> LOG_LEVEL = SETTINGS.add(LogLevels.SETTING);
    public static final Setting<Duration> LOG_SLOW = SETTINGS.add(setting(
                    "log.slow",
                    duration(),
                    "1s",
                    "Requests that take this long are logged and listed at /slow; 0 is never.")
            .live());
    public static final Setting<String> LOG_FILE = SETTINGS.add(
            setting("log.file", text(), "", "File for the log; empty is standard error. SIGHUP opens it again."));
    public static final Setting<Long> LOG_FILE_BYTES_MAX = SETTINGS.add(setting(
            "log.file.max.bytes", bytes(MB, TB), "100mb", "Size at which the log file is rotated and compressed."));
    public static final Setting<Duration> LOG_FILE_AGE_MAX = SETTINGS.add(setting(
            "log.file.max.age",
            positiveDuration(),
            "30d",
            "Rotated log files older than this are deleted; in whole days."));
    public static final Setting<LogFormat> LOG_FORMAT = SETTINGS.add(
            setting("log.format", oneOf(LogFormat.class), "text", "Lines of text, or one JSON object per line."));

    /** Applied by the start script, before the JVM starts; here it is only checked and shown. */
    public static final Setting<OptionalLong> MEMORY_HEAP = SETTINGS.add(setting(
            "memory.heap", bytesOrAuto(64 * MB, TB), "auto", "Java heap; auto is a quarter of the machine's memory."));

    public static final Setting<OptionalLong> MEMORY_ROWS = SETTINGS.add(setting(
            "memory.rows", bytesOrAuto(32 * MB, TB), "auto", "Heap for fresh and hot rows; auto is 2/5 of the heap."));
    public static final Setting<OptionalLong> MEMORY_BLOCKS = SETTINGS.add(setting(
            "memory.blocks",
            bytesOrAuto(BLOCKS_BYTES_MIN, TB),
            "auto",
            "Memory outside the heap for RocksDB's cache and write buffers; auto is 1/8 of the machine's."));

    public static final Setting<Integer> HTTP_PORT = SETTINGS.add(
            setting("http.port", port(), "8080", "Port for health, metrics and administration; 0 picks a free one."));
    public static final Setting<Integer> HTTP_CONNECTIONS_MAX = SETTINGS.add(
            setting("http.max.connections", integer(1, 100_000), "1000", "HTTP connections open at once."));
    public static final Setting<Long> HTTP_REQUEST_BYTES_MAX =
            SETTINGS.add(setting("http.max.request.bytes", bytes(KB, GB), "1mb", "Largest HTTP request body."));
    public static final Setting<Long> HTTP_HEADER_BYTES_MAX = SETTINGS.add(
            setting("http.max.header.bytes", bytes(KB, MB), "16kb", "Largest HTTP header, all fields together."));
    public static final Setting<Duration> HTTP_REQUEST_TIMEOUT = SETTINGS.add(setting(
            "http.request.timeout",
            positiveDuration(),
            "10s",
            "Time limit for a client to send a request or read a reply."));
    public static final Setting<Duration> HTTP_IDLE_TIMEOUT = SETTINGS.add(setting(
            "http.idle.timeout", positiveDuration(), "60s", "Time after which an unused HTTP connection closes."));
    public static final Setting<Integer> HTTP_RATE_MAX = SETTINGS.add(setting(
            "http.max.requests.per.second",
            integer(0, 1_000_000),
            "0",
            "Requests that one client may send per second on average, and twice as many at once; 0 for any number."));
    private static final Setting<String> HTTP_CORS_ORIGINS = SETTINGS.add(setting(
            "http.cors.origins",
            text(),
            "",
            "Origins whose pages may send requests, such as https://app.example, separated by commas."));

    private ServerSettings() {}

    /** The pages of other sites that may send requests to the HTTP port. */
    public static Cors cors(Settings settings) {
        return new Cors(Arrays.stream(settings.get(HTTP_CORS_ORIGINS).split(",", -1))
                .map(origin -> origin.strip().toLowerCase(Locale.ROOT))
                .filter(origin -> !origin.isEmpty())
                .collect(Collectors.toSet()));
    }

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
