package io.polytable.sql.query.scan;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A scan that a running query may start: the relation, its conditions and the snapshot to read. */
public final class OpenScan {
    final Relation relation;
    final List<RelationColumn> columns;
    private final Reader reader;
    private final String user;
    private final AccessPath path;
    private final boolean withDeleted;

    /** The exception of a failed scan. DuckDB reports it only as text, so the query throws this instead. */
    public final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Whether a value was infinite, or a text that a cast would make infinite. */
    public volatile boolean sawInfinity;

    /** Whether a plan of DuckDB refers to it. */
    public volatile boolean bound;

    public OpenScan(ScanSlot slot, Reader reader, String user, AccessPath path) {
        this(slot.relation(), slot.withDeleted(), reader, user, path);
    }

    OpenScan(Relation relation, boolean withDeleted, Reader reader, String user, AccessPath path) {
        this.relation = relation;
        columns = relation.columns();
        this.withDeleted = withDeleted;
        this.reader = reader;
        this.user = user;
        this.path = path;
    }

    /** A scan of a shared table's rows in the store within a key range. */
    static OpenScan within(SqlTable table, KeyRange range, Reader reader) {
        return new OpenScan(table.hot(), false, reader, "", new AccessPath.All(List.of(range)));
    }

    Optional<Relation.Batches> openBatches(List<Integer> wanted) {
        return relation.openBatches(reader, new Relation.Request(user, wanted, path, withDeleted));
    }

    Relation.Rows open(List<Integer> wanted) {
        return relation.open(reader, new Relation.Request(user, wanted, path, withDeleted));
    }
}
