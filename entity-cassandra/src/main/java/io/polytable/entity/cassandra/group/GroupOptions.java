package io.polytable.entity.cassandra.group;

import io.polytable.entity.cassandra.cluster.Levels;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Cassandra's own options of a locality group. Values become part of CQL, so each is validated; invalid ones are
 * refused rather than ignored.
 */
public final class GroupOptions {
    /** The bloom filter's false positive rate, instead of the default of the layout's bloom type. */
    static final String BLOOM = "bloom_filter_fp_chance";

    /** How many rows of a partition are cached: ALL, NONE or a number. */
    static final String CACHED_ROWS = "cached_rows";

    public static final String CONSISTENCY = "consistency";

    private static final String COMPACTION = "compaction";
    private static final String GC_GRACE = "gc_grace_seconds";
    private static final String SPECULATIVE_RETRY = "speculative_retry";

    /** A strategy's name, then its settings as {@code name=value} apart by commas. */
    private static final Map<String, Pattern> KNOWN = Map.of(
            GroupShape.COUNTERS,
            Pattern.compile("true|false"),
            GroupShape.BY_TIME,
            Pattern.compile("true|false"),
            GroupShape.BY_COLUMN,
            Pattern.compile("true|false"),
            BLOOM,
            Pattern.compile("0\\.[0-9]{1,9}|1(\\.0)?"),
            CACHED_ROWS,
            Pattern.compile("ALL|NONE|[0-9]{1,9}"),
            CONSISTENCY,
            Pattern.compile("[A-Za-z_]{1,20}"),
            COMPACTION,
            Pattern.compile("[A-Za-z]{1,60}(,[a-z_]{1,60}=[A-Za-z0-9_.-]{1,60}){0,20}"),
            GC_GRACE,
            Pattern.compile("[0-9]{1,9}"),
            SPECULATIVE_RETRY,
            Pattern.compile("[A-Za-z0-9.(),]{1,40}"));

    private GroupOptions() {}

    /** The CQL after the other properties of WITH; options of other stores are ignored. */
    static String text(Map<String, String> options) {
        options.forEach(GroupOptions::check);
        StringBuilder text = new StringBuilder();
        String compaction = options.get(COMPACTION);
        if (compaction != null) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (String part : compaction.split(",", -1)) {
                int equals = part.indexOf('=');
                settings.put(equals < 0 ? "class" : part.substring(0, equals), part.substring(equals + 1));
            }
            text.append(" AND compaction = {");
            settings.forEach((name, value) -> text.append(text.charAt(text.length() - 1) == '{' ? "'" : ", '")
                    .append(name)
                    .append("': '")
                    .append(value)
                    .append('\''));
            text.append('}');
        }
        String grace = options.get(GC_GRACE);
        if (grace != null) {
            text.append(" AND gc_grace_seconds = ").append(grace);
        }
        String retry = options.get(SPECULATIVE_RETRY);
        if (retry != null) {
            text.append(" AND speculative_retry = '").append(retry).append('\'');
        }
        return text.toString();
    }

    private static void check(String name, String value) {
        Pattern pattern = KNOWN.get(name);
        if (pattern != null && !pattern.matcher(value).matches()) {
            throw new EntityException(
                    EntityError.BAD_LAYOUT,
                    "An option of a locality group has no such value",
                    Map.of("option", name, "value", value));
        }
        if (name.equals(CONSISTENCY)) {
            // Refused when the layout is created, not when the first cell is read.
            Levels.parse(value);
        }
    }
}
