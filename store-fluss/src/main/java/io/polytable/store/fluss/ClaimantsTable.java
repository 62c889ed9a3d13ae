package io.polytable.store.fluss;

import java.util.List;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.types.DataTypes;

/**
 * The servers that may have claimed an epoch of a log. A claim's key contains its claimant's random number, which
 * nobody else knows; this table lists the numbers by epoch. Rows are only ever added.
 */
final class ClaimantsTable {
    private static final String NAME = "commit_log_claimants";
    private static final Schema SCHEMA = Schema.newBuilder()
            .column("log", DataTypes.STRING())
            .column("epoch", DataTypes.BIGINT())
            .column("owner", DataTypes.BIGINT())
            .primaryKey("log", "epoch", "owner")
            .build();

    private final FlussCluster cluster;
    private final String log;
    private final Lookuper byEpoch;
    private final UpsertWriter writer;

    private ClaimantsTable(FlussCluster cluster, String log, Table table) {
        this.cluster = cluster;
        this.log = log;
        this.byEpoch = table.newLookup().lookupBy("log", "epoch").createLookuper();
        this.writer = table.newUpsert().createWriter();
    }

    /** @param log the claimed log's table */
    static ClaimantsTable open(FlussCluster cluster, String log) {
        // Fluss supports lookups by a key prefix only if the prefix is the bucket key.
        return new ClaimantsTable(
                cluster,
                log,
                cluster.ownTable(
                        cluster.path(NAME), SCHEMA, "Servers that claimed a commit log of Polytable", "log", "epoch"));
    }

    synchronized void announce(long epoch, long owner) {
        cluster.await(writer.upsert(GenericRow.of(BinaryString.fromString(log), epoch, owner)));
        cluster.awaitTrue(() -> candidates(epoch).contains(owner));
    }

    synchronized List<Long> candidates(long epoch) {
        return cluster.await(byEpoch.lookup(GenericRow.of(BinaryString.fromString(log), epoch))).getRowList().stream()
                .map(row -> row.getLong(2))
                .toList();
    }
}
