package io.polytable.entity.cassandra.group;

import io.polytable.entity.cassandra.cluster.Names;
import io.polytable.entity.layout.LocalityGroup;

/**
 * A locality group's table and its definition.
 *
 * @param properties the clauses after WITH, as last set
 */
public record GroupTable(String keyspace, String name, GroupShape shape, String properties) {
    /** Cassandra's maximum time to live, twenty years; reads hide cells that outlive the layout's. */
    static final long TTL_SECONDS_MAX = 20L * 365 * 24 * 60 * 60;

    public static GroupTable of(String keyspace, String table, LocalityGroup group, GroupShape shape) {
        return new GroupTable(keyspace, Names.table(table, group.id()), shape, properties(group, shape));
    }

    /** The table's record in the instance. */
    public String record() {
        return shape.text() + " " + properties;
    }

    /** The record of a table during an ALTER: its shape, and unknown properties. */
    public static String altering(String record) {
        return record.substring(0, record.indexOf(' ')) + " altering";
    }

    public static GroupShape shapeOf(String record) {
        return GroupShape.parse(record.substring(0, record.indexOf(' ')));
    }

    String fullName() {
        return Names.quoted(keyspace) + "." + Names.quoted(name);
    }

    public String create() {
        String cells = "CREATE TABLE IF NOT EXISTS " + fullName() + " (key blob, family text, qualifier text, ";
        return cells
                + switch (shape.kind()) {
                    case SINGLE ->
                        "time bigint, value blob, rev uuid STATIC, PRIMARY KEY ((key), family, qualifier)) WITH ";
                    case VERSIONED ->
                        "time bigint, value blob, rev uuid STATIC, PRIMARY KEY ((key), family, qualifier, time))"
                                + " WITH CLUSTERING ORDER BY (family ASC, qualifier ASC, time DESC) AND ";
                    case COUNTERS -> "value counter, PRIMARY KEY ((key), family, qualifier)) WITH ";
                }
                + properties;
    }

    public String alter() {
        return "ALTER TABLE " + fullName() + " WITH " + properties;
    }

    private static String properties(LocalityGroup group, GroupShape shape) {
        String text = "compression = " + compression(group) + " AND bloom_filter_fp_chance = "
                + group.options().getOrDefault(GroupOptions.BLOOM, bloom(group))
                + " AND caching = {'keys': 'ALL', 'rows_per_partition': '"
                + group.options().getOrDefault(GroupOptions.CACHED_ROWS, group.inMemory() ? "ALL" : "NONE") + "'}"
                + (shape.hasCounters() ? "" : " AND default_time_to_live = " + ttlSeconds(group))
                + " AND comment = 'locality group " + group.name() + "'";
        return text + GroupOptions.text(group.options());
    }

    /** 0 for no expiry, and for more than Cassandra's maximum. */
    static long ttlSeconds(LocalityGroup group) {
        return group.ttlSeconds() > TTL_SECONDS_MAX ? 0 : group.ttlSeconds();
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
