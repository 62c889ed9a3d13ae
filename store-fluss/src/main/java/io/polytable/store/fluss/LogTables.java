package io.polytable.store.fluss;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of all logs of a store. They are created from the last to the first: if any exists, the last one does, so
 * the number of logs follows from the tables alone.
 */
final class LogTables {
    private static final Pattern LOG = Pattern.compile("commit_log_(\\d\\d)");

    private LogTables() {}

    /** The number of logs in the database; 0 without any. */
    static int count(FlussCluster cluster) {
        int count = 0;
        String database = cluster.settings().database();
        for (String table : cluster.await(cluster.connection().getAdmin().listTables(database))) {
            Matcher log = LOG.matcher(table);
            if (log.matches()) {
                count = Math.max(count, Integer.parseInt(log.group(1)) + 1);
            }
        }
        return count;
    }

    /** Refuses a database with another number of logs: those not opened would be forgotten. */
    static void check(FlussCluster cluster, int partitions) {
        int present = count(cluster);
        if (present != 0 && present != partitions) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "The database in Fluss was written with another number of partitions",
                    Map.of("database", cluster.settings().database(), "written", present, "configured", partitions));
        }
    }

    static void create(FlussCluster cluster, int partitions) {
        for (int partition = partitions - 1; partition >= 0; partition--) {
            LogTable unused =
                    LogTable.open(cluster, FlussLogOptions.of(partition).table());
        }
    }
}
