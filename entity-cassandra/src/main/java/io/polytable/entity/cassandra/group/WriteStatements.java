package io.polytable.entity.cassandra.group;

import static io.polytable.entity.cassandra.group.ReadStatements.COLUMN;
import static io.polytable.entity.cassandra.group.ReadStatements.FAMILY;
import static io.polytable.entity.cassandra.group.ReadStatements.ROW;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.cassandra.cluster.Cluster;

/** The write statements of a locality group's table. */
public final class WriteStatements {
    final PreparedStatement insert;
    final PreparedStatement insertChecked;
    final PreparedStatement deleteRow;
    final PreparedStatement deleteFamily;
    final PreparedStatement deleteColumn;
    final PreparedStatement deleteVersions;
    final PreparedStatement deleteCell;
    final PreparedStatement deleteChecked;
    public final PreparedStatement surplus;

    /** Time, value and write time of a column's newest version, and the row's revision; nothing if there is no version. */
    public final PreparedStatement guarded;

    public final PreparedStatement revision;
    public final PreparedStatement firstRevision;
    public final PreparedStatement nextRevision;

    /** A new revision if the row has the last one, and a column its value since before a time; of groups with one version. */
    public final PreparedStatement revisionOfValue;

    /** As {@link #revisionOfValue}, if there is no cell of the column. */
    public final PreparedStatement revisionOfNone;

    public WriteStatements(Cluster cluster, GroupTable table) {
        String name = table.fullName();
        boolean single = table.shape().isSingle();
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
        deleteChecked = cluster.prepare("DELETE FROM " + name + COLUMN);
        surplus = cluster.prepare("SELECT time FROM " + name + COLUMN + " LIMIT :versions");
        guarded = cluster.prepare("SELECT time, value, writetime(value), rev FROM " + name + COLUMN + " LIMIT 1");
        revision = cluster.prepare("SELECT rev FROM " + name + ROW + " LIMIT 1");
        String update = "UPDATE " + name + " SET rev = :next" + ROW;
        firstRevision = cluster.prepare(update + " IF rev = null");
        nextRevision = cluster.prepare(update + " IF rev = :last");
        String ofColumn = "UPDATE " + name + " SET rev = :next" + COLUMN + " IF rev = :last AND value = :value";
        revisionOfValue = single ? cluster.prepare(ofColumn + " AND time < :before") : nextRevision;
        revisionOfNone = single ? cluster.prepare(ofColumn) : nextRevision;
    }
}
