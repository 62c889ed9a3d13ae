package io.polytable.server.config;

import static io.polytable.server.config.ByteSize.GB;
import static io.polytable.server.config.ByteSize.MB;
import static io.polytable.server.config.ByteSize.TB;
import static io.polytable.server.config.Key.key;
import static io.polytable.server.config.ValueTypes.bool;
import static io.polytable.server.config.ValueTypes.bytes;
import static io.polytable.server.config.ValueTypes.bytesOrAuto;
import static io.polytable.server.config.ValueTypes.duration;
import static io.polytable.server.config.ValueTypes.text;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The SQL frontend. */
public final class SqlKeys {
    private static final Declarations KEYS = new Declarations();

    public static final Key<Boolean> ENABLED =
            KEYS.add(key("sql.enabled", bool(), "true", "Whether SQL is served on the HTTP port."));
    public static final Key<OptionalLong> MEMORY = KEYS.add(key(
            "sql.memory",
            bytesOrAuto(64 * MB, TB),
            "auto",
            "Memory outside the heap for analytical queries; auto is 1/8 of the machine's."));
    public static final Key<OptionalLong> CACHE = KEYS.add(key(
            "sql.cache.bytes",
            bytesOrAuto(0, TB),
            "auto",
            "How much of it may be columns of tables that are read whole repeatedly; auto is 1/4."));
    public static final Key<Long> SPILL = KEYS.add(key(
            "sql.spill.bytes", bytes(0, 1024 * TB), Long.toString(4 * GB), "Disk that queries may take beyond it."));
    public static final Key<Duration> STATEMENT_TIMEOUT =
            KEYS.add(key("sql.statement.timeout", duration(), "60s", "Time after which a statement is cancelled."));
    public static final Key<String> STORAGE_ROOTS = KEYS.add(key(
            "sql.storage.roots",
            text(),
            "",
            "Directories below which CREATE STORAGE may place files, with commas between; * allows any."));
    public static final Key<String> STORAGE_ENDPOINTS = KEYS.add(key(
            "sql.storage.endpoints",
            text(),
            "",
            "Endpoints of S3 services that CREATE STORAGE may use besides AWS, with commas between; * allows any."));
    public static final Key<String> HOSTS = KEYS.add(
            key(
                    "http.hosts",
                    text(),
                    "",
                    "Names by which HTTP clients may call this server, with commas between, besides localhost and its addresses."));

    private SqlKeys() {}

    static List<Key<?>> all() {
        return KEYS.all();
    }
}
