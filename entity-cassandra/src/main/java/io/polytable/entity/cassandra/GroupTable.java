package io.polytable.entity.cassandra;

import io.polytable.entity.layout.LocalityGroup;
import java.util.Map;

/**
 * A locality group's table and how it was made.
 *
 * @param single whether the table has one version of each column, and no time in its key
 * @param properties what follows WITH, as last set
 */
record GroupTable(String keyspace, String name, boolean single, String properties) {
    private static final String SINGLE = "single";
    private static final String VERSIONED = "versioned";

    static GroupTable of(String keyspace, String table, LocalityGroup group, boolean single) {
        return new GroupTable(keyspace, Names.table(table, group.id()), single, properties(group));
    }

    /** What the instance remembers of the table. */
    String record() {
        return (single ? SINGLE : VERSIONED) + " " + properties;
    }

    static boolean isSingle(String record) {
        return record.startsWith(SINGLE + " ");
    }

    String fullName() {
        return Names.quoted(keyspace) + "." + Names.quoted(name);
    }

    String create() {
        String key = single ? "(key), family, qualifier" : "(key), family, qualifier, time";
        String order = single ? "" : "CLUSTERING ORDER BY (family ASC, qualifier ASC, time DESC) AND ";
        return "CREATE TABLE IF NOT EXISTS " + fullName() + " (key blob, family text, qualifier text, time bigint,"
                + " value blob, rev uuid STATIC, PRIMARY KEY (" + key + ")) WITH " + order + properties;
    }

    String alter() {
        return "ALTER TABLE " + fullName() + " WITH " + properties;
    }

    private static String properties(LocalityGroup group) {
        long ttl = group.ttlSeconds() == LocalityGroup.FOREVER ? 0 : group.ttlSeconds();
        String text = "compression = " + compression(group) + " AND bloom_filter_fp_chance = " + bloom(group)
                + " AND caching = {'keys': 'ALL', 'rows_per_partition': '" + (group.inMemory() ? "ALL" : "NONE") + "'}"
                + " AND default_time_to_live = " + ttl + " AND comment = 'locality group "
                + group.name() + "'";
        Map<String, String> options = group.options();
        String compaction = options.getOrDefault("compaction", "");
        if (compaction.matches("[A-Za-z]+")) {
            text += " AND compaction = {'class': '" + compaction + "'}";
        }
        return text;
    }

    private static String compression(LocalityGroup group) {
        String name = switch (group.compression()) {
            case NONE -> "";
            case GZ -> "DeflateCompressor";
            case SNAPPY -> "SnappyCompressor";
            case LZO, LZ4 -> "LZ4Compressor";
            case ZSTD -> "ZstdCompressor";
        };
        return name.isEmpty() ? "{'enabled': 'false'}" : "{'class': '" + name + "'}";
    }

    private static String bloom(LocalityGroup group) {
        return switch (group.bloom()) {
            case NONE -> "1.0";
            case ROW -> "0.01";
            case ROWCOL -> "0.001";
        };
    }
}
