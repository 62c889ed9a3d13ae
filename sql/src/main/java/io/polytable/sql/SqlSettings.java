package io.polytable.sql;

import static io.polytable.frontend.setting.ByteSize.GB;
import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.ByteSize.TB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bool;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.bytesOrAuto;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The SQL frontend. */
public final class SqlSettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<Boolean> ENABLED =
            SETTINGS.add(setting("sql.enabled", bool(), "true", "Whether SQL is served on the HTTP port."));
    public static final Setting<OptionalLong> MEMORY = SETTINGS.add(setting(
            "sql.memory",
            bytesOrAuto(64 * MB, TB),
            "auto",
            "Memory outside the heap for analytical queries; auto is 1/8 of the machine's."));
    public static final Setting<OptionalLong> CACHE = SETTINGS.add(setting(
            "sql.cache.bytes",
            bytesOrAuto(0, TB),
            "auto",
            "How much of it may be columns of tables that are read whole repeatedly; auto is 1/4."));
    public static final Setting<Long> SPILL = SETTINGS.add(setting(
            "sql.spill.bytes", bytes(0, 1024 * TB), Long.toString(4 * GB), "Disk that queries may take beyond it."));
    public static final Setting<Duration> STATEMENT_TIMEOUT = SETTINGS.add(
            setting("sql.statement.timeout", duration(), "60s", "Time after which a statement is cancelled."));
    public static final Setting<String> STORAGE_ROOTS = SETTINGS.add(setting(
            "sql.storage.roots",
            text(),
            "",
            "Directories below which CREATE STORAGE may place files, with commas between; * allows any."));
    public static final Setting<String> STORAGE_ENDPOINTS = SETTINGS.add(setting(
            "sql.storage.endpoints",
            text(),
            "",
            "Endpoints of S3 services that CREATE STORAGE may use besides AWS, with commas between; * allows any."));
    public static final Setting<String> HOSTS = SETTINGS.add(
            setting(
                    "http.hosts",
                    text(),
                    "",
                    "Names by which HTTP clients may call this server, with commas between, besides localhost and its addresses."));

    private SqlSettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
