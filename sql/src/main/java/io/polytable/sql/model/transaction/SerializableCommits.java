package io.polytable.sql.model.transaction;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Conflict detection for serializable transactions, by table. A transaction that writes commits only if no serializable
 * transaction has committed to a table that it read since it began. Its reads are then those of the moment of its
 * commit, so the commit order is a serial order. A transaction that only reads takes the place of its snapshot in that
 * order. As in PostgreSQL, transactions of other levels are not part of it.
 */
public final class SerializableCommits {
    private final Map<Integer, Long> latest = new HashMap<>();
    private long commits;

    /** The moment at which a transaction begins; taken before its snapshot. */
    synchronized long now() {
        return commits;
    }

    /**
     * Commits a transaction that writes, unless the commit returns nothing, which leaves the order as it is.
     *
     * @param since the moment at which it began
     * @param read the ids of the tables that it read
     * @param written the ids of the tables that it wrote
     */
    synchronized Optional<Commit> commit(
            long since, Set<Integer> read, Set<Integer> written, Supplier<Optional<Commit>> commit) {
        for (Integer table : read) {
            if (latest.getOrDefault(table, 0L) > since) {
                throw new SqlError(
                        SqlCode.SERIALIZATION_FAILURE,
                        "could not serialize access due to read/write dependencies among transactions;"
                                + " retry the transaction");
            }
        }
        Optional<Commit> done = commit.get();
        if (done.isPresent()) {
            commits++;
            written.forEach(table -> latest.put(table, commits));
        }
        return done;
    }
}
