package io.polytable.sql.query.scan;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A scan that a running query may start: what to read, from which snapshot. */
public final class OpenScan {
    final Relation relation;
    final List<RelationColumn> columns;
    private final Reader reader;
    private final String user;
    private final List<Relation.Condition> conditions;
    private final boolean withDeleted;

    /** DuckDB tells of a failure inside a scan only as text; the query throws this instead. */
    public final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Whether a value that went in is infinite, or a text that a cast makes so. */
    public volatile boolean sawInfinity;

    public OpenScan(ScanSlot slot, Reader reader, String user, List<Relation.Condition> conditions) {
        this(slot.relation(), slot.withDeleted(), reader, user, conditions);
    }

    public OpenScan(
            Relation relation, boolean withDeleted, Reader reader, String user, List<Relation.Condition> conditions) {
        this.relation = relation;
        columns = relation.columns();
        this.withDeleted = withDeleted;
        this.reader = reader;
        this.user = user;
        this.conditions = conditions;
    }

    /** The rows of a shared table that the store holds in a range. */
    static OpenScan within(SqlTable table, KeyRange range, Reader reader) {
        return new OpenScan(table.hot(List.of(range)), false, reader, "", List.of());
    }

    Optional<Relation.Batches> openBatches(List<Integer> wanted) {
        return relation.openBatches(reader, new Relation.Request(user, wanted, conditions, withDeleted));
    }

    Relation.Rows open(List<Integer> wanted) {
        return relation.open(reader, new Relation.Request(user, wanted, conditions, withDeleted));
    }
}
