package io.polytable.sql.query.run;

import io.polytable.sql.query.duck.DuckErrors;
import io.polytable.sql.query.duck.DuckRoot;
import io.polytable.sql.query.scan.ScanFunction;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections to DuckDB: one for each running query, and those that wait for the next. */
final class DuckConnections implements AutoCloseable {
    /** The most concurrent queries; each has a connection. */
    private static final int CONNECTIONS_MAX = 64;

    private static final Logger LOG = LoggerFactory.getLogger(DuckConnections.class);

    private final DuckRoot root;
    private final Deque<Lease> idle = new ArrayDeque<>();
    private int open;
    private boolean closed;

    DuckConnections(DuckRoot root) {
        this.root = root;
    }

    /**
     * A connection in the hands of one query. Its scans have the same numbers in each query, so that a query that runs
     * again has the same text, and DuckDB need not parse and plan it twice: its statement is kept.
     */
    static final class Lease {
        private static final int KEPT_MAX = 8;
        private static final int KEPT_CHARS_MAX = 4000;

        private final DuckDBConnection connection;
        private final long firstScan = ScanFunction.reserve();

        /** In order of their last use. */
        private final Map<String, PreparedStatement> kept = new LinkedHashMap<>();

        Lease(DuckDBConnection connection) {
            this.connection = connection;
        }

        DuckDBConnection connection() {
            return connection;
        }

        /** The number of the first of its scans. */
        long firstScan() {
            return firstScan;
        }

        /** The statement of an earlier query with this text, which the caller returns or closes. */
        Optional<PreparedStatement> take(String text) throws SQLException {
            PreparedStatement statement = kept.remove(text);
            return statement == null || statement.isClosed() ? Optional.empty() : Optional.of(statement);
        }

        void keep(String text, PreparedStatement statement) {
            if (text.length() > KEPT_CHARS_MAX || kept.containsKey(text)) {
                closeQuietly(statement);
                return;
            }
            kept.put(text, statement);
            if (kept.size() > KEPT_MAX) {
                Iterator<PreparedStatement> statements = kept.values().iterator();
                closeQuietly(statements.next());
                statements.remove();
            }
        }

        private void close() {
            kept.values().forEach(DuckConnections::closeQuietly);
            closeQuietly(connection);
        }
    }

    Lease borrow() {
        synchronized (idle) {
            if (closed) {
                throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
            }
            Lease lease = idle.poll();
            if (lease != null) {
                return lease;
            }
            if (open >= CONNECTIONS_MAX) {
                throw new SqlError(SqlCode.TOO_MANY, "too many concurrent queries; try again");
            }
            open++;
        }
        try {
            return new Lease(root.connect());
        } catch (SQLException failure) {
            forgetOne();
            throw DuckErrors.of(failure, Optional.empty());
        } catch (RuntimeException failure) {
            forgetOne();
            throw failure;
        }
    }

    private void forgetOne() {
        synchronized (idle) {
            open--;
        }
    }

    void giveBack(Lease lease) {
        synchronized (idle) {
            if (!closed) {
                idle.push(lease);
                return;
            }
        }
        lease.close();
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception ignored) {
            LOG.debug("What was to be thrown away did not close", ignored);
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            idle.forEach(Lease::close);
            idle.clear();
        }
    }
}
