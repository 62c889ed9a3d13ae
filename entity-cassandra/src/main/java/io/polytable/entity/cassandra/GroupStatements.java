package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;

/** The statements of a locality group's table. */
final class GroupStatements {
    private static final String ROW = " WHERE key = :key";
    private static final String FAMILY = ROW + " AND family = :family";
    private static final String COLUMN = FAMILY + " AND qualifier = :qualifier";
    private static final String COLUMNS = FAMILY + " AND qualifier IN :qualifiers";
    private static final String NEWEST = " GROUP BY family, qualifier";

    final PreparedStatement insert;
    final PreparedStatement insertChecked;
    final PreparedStatement deleteRow;
    final PreparedStatement deleteFamily;
    final PreparedStatement deleteColumn;
    final PreparedStatement deleteVersions;
    final PreparedStatement deleteCell;
    final PreparedStatement family;
    final PreparedStatement familyFrom;
    final PreparedStatement columns;
    final PreparedStatement newestOfFamily;
    final PreparedStatement newestOfColumns;
    final PreparedStatement names;
    final PreparedStatement newest;
    final PreparedStatement revision;
    final PreparedStatement firstRevision;
    final PreparedStatement nextRevision;
    final PreparedStatement keys;

    GroupStatements(Cluster cluster, GroupTable table) {
        String name = table.fullName();
        boolean single = table.single();
        String insertText = "INSERT INTO " + name + " (key, family, qualifier, time, value)"
                + " VALUES (:key, :family, :qualifier, :time, :value) USING TTL :ttl";
        insert = cluster.prepare(insertText + " AND TIMESTAMP :at");
        insertChecked = cluster.prepare(insertText);
        String delete = "DELETE FROM " + name + " USING TIMESTAMP :at";
        deleteRow = cluster.prepare(delete + ROW);
        deleteFamily = cluster.prepare(delete + FAMILY);
        deleteColumn = cluster.prepare(delete + COLUMN);
        deleteVersions = single ? deleteColumn : cluster.prepare(delete + COLUMN + " AND time <= :time");
        deleteCell = single ? deleteColumn : cluster.prepare(delete + COLUMN + " AND time = :time");
        String select = "SELECT family, qualifier, time, value FROM " + name;
        family = cluster.prepare(select + FAMILY);
        familyFrom = cluster.prepare(select + FAMILY + " AND qualifier >= :start");
        columns = cluster.prepare(select + COLUMNS);
        newestOfFamily = single ? family : cluster.prepare(select + FAMILY + NEWEST);
        newestOfColumns = single ? columns : cluster.prepare(select + COLUMNS + NEWEST);
        names = cluster.prepare("SELECT family, qualifier FROM " + name + ROW + (single ? "" : NEWEST));
        newest = cluster.prepare("SELECT time, value FROM " + name + COLUMN + " LIMIT 1");
        revision = cluster.prepare("SELECT rev FROM " + name + ROW + " LIMIT 1");
        String update = "UPDATE " + name + " SET rev = :next" + ROW;
        firstRevision = cluster.prepare(update + " IF rev = null");
        nextRevision = cluster.prepare(update + " IF rev = :last");
        keys = cluster.prepare(
                "SELECT DISTINCT key, token(key) FROM " + name + " WHERE token(key) > :after AND token(key) <= :last");
    }
}
