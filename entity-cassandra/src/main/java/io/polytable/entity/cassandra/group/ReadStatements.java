package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.cassandra.cluster.Cluster;

/**
 * The read statements of a locality group's table. They return qualifier, time and value: the caller knows the family.
 */
public final class ReadStatements {
    static final String ROW = " WHERE key = :key";
    static final String FAMILY = ROW + " AND family = :family";
    static final String COLUMN = FAMILY + " AND qualifier = :qualifier";

    private static final String COLUMNS = FAMILY + " AND qualifier IN :qualifiers";
    private static final String NEWEST = " GROUP BY family, qualifier";

    final PreparedStatement family;
    final PreparedStatement familyFrom;
    final PreparedStatement familyBehind;
    final PreparedStatement column;
    final PreparedStatement newestOfColumn;
    final PreparedStatement columns;
    final PreparedStatement newestOfFamily;
    final PreparedStatement newestOfColumns;

    /** Versions of a column before a time; of a group with one version, as many as there are. */
    final PreparedStatement older;

    final PreparedStatement names;

    /** Family, qualifier, time and write time of each cell of a row. */
    final PreparedStatement stamps;

    /** Time, value and write time of a column's newest version. */
    final PreparedStatement newest;

    public final PreparedStatement keys;

    ReadStatements(Cluster cluster, GroupTable table) {
        String name = table.fullName();
        boolean single = table.shape().isSingle();
        // Counters have no timestamp, and are read as the bytes of a counter in any other store.
        String time = table.shape().hasCounters() ? "writetime(value)" : "time";
        String value = table.shape().hasCounters() ? "counterAsBlob(value)" : "value";
        String select = "SELECT qualifier, " + time + ", " + value + " FROM " + name;
        family = cluster.prepare(select + FAMILY);
        familyFrom = cluster.prepare(select + FAMILY + " AND qualifier >= :start");
        familyBehind = cluster.prepare(select + FAMILY + " AND qualifier > :start");
        column = cluster.prepare(select + COLUMN);
        newestOfColumn = single ? column : cluster.prepare(select + COLUMN + " LIMIT 1");
        columns = cluster.prepare(select + COLUMNS);
        newestOfFamily = single ? family : cluster.prepare(select + FAMILY + NEWEST);
        newestOfColumns = single ? columns : cluster.prepare(select + COLUMNS + NEWEST);
        older = single ? columns : cluster.prepare(select + COLUMN + " AND time < :time");
        names = cluster.prepare("SELECT family, qualifier FROM " + name + ROW + (single ? "" : NEWEST));
        stamps = cluster.prepare("SELECT family, qualifier, " + time + ", writetime(value) FROM " + name + ROW);
        newest = cluster.prepare(
                "SELECT " + time + ", " + value + ", writetime(value) FROM " + name + COLUMN + " LIMIT 1");
        keys = cluster.prepare(
                "SELECT DISTINCT key, token(key) FROM " + name + " WHERE token(key) > :after AND token(key) <= :last");
    }
}
