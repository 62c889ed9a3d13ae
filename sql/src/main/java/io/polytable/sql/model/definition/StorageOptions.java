package io.polytable.sql.model.definition;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import io.polytable.table.TableOptions;
import io.polytable.table.WriteBuffers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of WITH (...): their names, values and the kinds of tables that they apply to. */
public final class StorageOptions {
    public static final String FLUSH_POLICY = "flush_policy";
    public static final String TTL_SECONDS = "ttl_seconds";
    public static final String MAX_BUFFER = "max_buffer";
    public static final String COMPRESSION = "compression";
    public static final String STORAGE_ID = "storage_id";
    public static final String ACCESS_LEVEL = "access_level";
    public static final String DELETED_RETENTION_HOURS = "deleted_retention_hours";

    /** How long files that a compaction or a TRUNCATE replaced are kept, with their versions for AS OF. */
    public static final String FILE_RETENTION_HOURS = "file_retention_hours";

    /** Whether a flush writes the rows of all users of a user table into one file. */
    public static final String PACKED = "packed";

    /** The number of small segments of a scope from which a flush is followed by their merge. */
    public static final String COMPACTION_FILES = "compaction_files";

    /** The size of a memtable of the table's rows in the store, and the memory of all of them. */
    public static final String MEMTABLE_SIZE = "memtable_size";

    public static final String WRITE_BUFFER = "write_buffer";

    public static final long FILE_RETENTION_HOURS_DEFAULT = 24;
    public static final int COMPACTION_FILES_DEFAULT = 10;

    /** Default retention of tombstones. */
    public static final long DELETED_RETENTION_HOURS_DEFAULT = 168;

    /** Default limit of the rows of a stream. */
    public static final long MAX_BUFFER_DEFAULT = 1_000_000;

    /** Fewer digits than would overflow with the largest unit. */
    private static final Pattern BYTES = Pattern.compile("(\\d{1,9}) ?(|[kKmMgG][bB])");

    private static final int FLUSH_ROWS_MAX = 1_000_000;
    private static final int FLUSH_SECONDS_MAX = 86_400;
    private static final int COMPACTION_FILES_MAX = 1000;
    private static final long NUMBER_MAX = 1_000_000_000_000L;
    private static final Set<String> STREAM_ONLY = Set.of(TTL_SECONDS, MAX_BUFFER);
    private static final Set<String> NOT_ON_STREAMS =
            Set.of(FLUSH_POLICY, DELETED_RETENTION_HOURS, STORAGE_ID, FILE_RETENTION_HOURS, PACKED, COMPACTION_FILES);

    private StorageOptions() {}

    /** Rejects options that do not apply to the kind of table, and invalid values. */
    public static void check(TableKind kind, Map<String, String> options) {
        options.forEach((name, value) -> checkOne(kind, name, value));
        var unused = buffers(kind, options);
    }

    /** Rejects options that only CREATE TABLE can set. */
    public static void checkChange(TableKind kind, Map<String, String> options) {
        if (options.containsKey(MEMTABLE_SIZE) || options.containsKey(WRITE_BUFFER)) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED, "options memtable_size and write_buffer are set when the table is created");
        }
        check(kind, options);
    }

    /** A number of bytes, with a unit or without. */
    private static long bytes(String name, String value) {
        Matcher matcher = BYTES.matcher(value.strip());
        if (!matcher.matches()) {
            throw refused("option " + name + " is a size such as '64MB', not '" + value + "'");
        }
        int shift = switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
            case "GB" -> 30;
            case "MB" -> 20;
            case "KB" -> 10;
            default -> 0;
        };
        return Long.parseLong(matcher.group(1)) << shift;
    }

    /** The write buffers; what is not given is as much as the kind has, or twice the memtable. */
    private static Optional<WriteBuffers> buffers(TableKind kind, Map<String, String> options) {
        if (!options.containsKey(MEMTABLE_SIZE) && !options.containsKey(WRITE_BUFFER)) {
            return Optional.empty();
        }
        WriteBuffers usual = WriteBuffers.of(kind);
        long memtable = options.containsKey(MEMTABLE_SIZE)
                ? bytes(MEMTABLE_SIZE, options.getOrDefault(MEMTABLE_SIZE, ""))
                : usual.memtableBytes();
        long total = options.containsKey(WRITE_BUFFER)
                ? bytes(WRITE_BUFFER, options.getOrDefault(WRITE_BUFFER, ""))
                : 2 * memtable;
        if (memtable < WriteBuffers.MEMTABLE_BYTES_MIN || memtable > WriteBuffers.MEMTABLE_BYTES_MAX) {
            throw refused("memtable_size is 1MB to 1GB");
        }
        if (total < 2 * memtable || total > WriteBuffers.MEMTABLES_MAX * memtable) {
            throw refused("write_buffer is 2 to " + WriteBuffers.MEMTABLES_MAX + " times memtable_size");
        }
        return Optional.of(new WriteBuffers(memtable, total));
    }

    private static void checkOne(TableKind kind, String name, String value) {
        boolean stream = kind == TableKind.STREAM;
        if ((STREAM_ONLY.contains(name) && !stream) || (NOT_ON_STREAMS.contains(name) && stream)) {
            throw refused(
                    "option " + name + " does not apply to a " + kind.name().toLowerCase(Locale.ROOT) + " table");
        }
        switch (name) {
            case TTL_SECONDS, MAX_BUFFER, DELETED_RETENTION_HOURS, FILE_RETENTION_HOURS -> positive(name, value);
            case COMPACTION_FILES -> checkCompactionFiles(positive(name, value));
            case PACKED -> checkPacked(kind, value);
            case MEMTABLE_SIZE, WRITE_BUFFER -> {
                long unused = bytes(name, value);
            }
            case FLUSH_POLICY -> checkFlushPolicy(value);
            case COMPRESSION -> oneOf(name, value, Set.of("none", "snappy", "zstd"));
            case ACCESS_LEVEL -> oneOf(name, value, Set.of("public", "private", "restricted", "dba"));
            case STORAGE_ID, "type" -> {}
            default -> throw refused("there is no option " + name);
        }
    }

    private static void checkPacked(TableKind kind, String value) {
        oneOf(PACKED, value, Set.of("true", "false"));
        if (kind != TableKind.USER) {
            throw refused("option packed is for user tables");
        }
    }

    private static void checkCompactionFiles(long files) {
        if (files < 2 || files > COMPACTION_FILES_MAX) {
            throw refused("compaction_files is 2 to " + COMPACTION_FILES_MAX);
        }
    }

    private static void oneOf(String name, String value, Set<String> allowed) {
        if (!allowed.contains(value.toLowerCase(Locale.ROOT))) {
            throw refused("option " + name + " is one of " + new TreeSet<>(allowed) + ", not '" + value + "'");
        }
    }

    private static long positive(String name, String value) {
        long number = value.matches("\\d{1,15}") ? Long.parseLong(value) : 0;
        if (number < 1 || number > NUMBER_MAX) {
            throw refused("option " + name + " is a positive number, not '" + value + "'");
        }
        return number;
    }

    private static void checkFlushPolicy(String value) {
        for (String part : value.split(",", -1)) {
            String[] pair = part.strip().split(":", -1);
            boolean rows = pair.length == 2 && pair[0].equals("rows");
            boolean interval = pair.length == 2 && pair[0].equals("interval");
            if (!rows && !interval) {
                throw refused("flush_policy is 'rows:N', 'interval:SECONDS' or both, not '" + value + "'");
            }
            long number = positive(FLUSH_POLICY, pair[1]);
            if (number >= (rows ? FLUSH_ROWS_MAX : FLUSH_SECONDS_MAX)) {
                throw refused("flush_policy takes less than " + FLUSH_ROWS_MAX + " rows and " + FLUSH_SECONDS_MAX
                        + " seconds");
            }
        }
    }

    private static SqlError refused(String text) {
        return new SqlError(SqlCode.INVALID_DEFINITION, text);
    }

    /** The options of the table in the store. */
    public static TableOptions physical(TableKind kind, Map<String, String> options) {
        boolean compressed = !"none".equals(options.getOrDefault(COMPRESSION, "zstd"));
        TableOptions physical = new TableOptions(ttl(options), compressed, true, false);
        return buffers(kind, options).map(physical::withBuffers).orElse(physical);
    }

    public static Optional<Duration> ttl(Map<String, String> options) {
        return Optional.ofNullable(options.get(TTL_SECONDS)).map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    public static long maxBuffer(Map<String, String> options) {
        return number(options, MAX_BUFFER).orElse(MAX_BUFFER_DEFAULT);
    }

    public static Duration fileRetention(Map<String, String> options) {
        return Duration.ofHours(number(options, FILE_RETENTION_HOURS).orElse(FILE_RETENTION_HOURS_DEFAULT));
    }

    public static int compactionFiles(Map<String, String> options) {
        return (int) number(options, COMPACTION_FILES).orElse(COMPACTION_FILES_DEFAULT);
    }

    public static boolean isPacked(Map<String, String> options) {
        return options.getOrDefault(PACKED, "false").equalsIgnoreCase("true");
    }

    /** The number of rows at which the table is flushed, if its policy has one. */
    public static OptionalLong flushRows(Map<String, String> options) {
        return policy(options, "rows");
    }

    /** The seconds after which the table is flushed again, if its policy has them. */
    public static OptionalLong flushSeconds(Map<String, String> options) {
        return policy(options, "interval");
    }

    private static OptionalLong policy(Map<String, String> options, String name) {
        for (String part : options.getOrDefault(FLUSH_POLICY, "").split(",", -1)) {
            String[] pair = part.strip().split(":", -1);
            if (pair.length == 2 && pair[0].equals(name)) {
                return OptionalLong.of(Long.parseLong(pair[1]));
            }
        }
        return OptionalLong.empty();
    }

    public static Duration deletedRetention(Map<String, String> options) {
        return Duration.ofHours(number(options, DELETED_RETENTION_HOURS).orElse(DELETED_RETENTION_HOURS_DEFAULT));
    }

    private static OptionalLong number(Map<String, String> options, String name) {
        String value = options.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }
}
