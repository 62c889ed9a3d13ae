package io.polytable.sql.model.table;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of a table that are in the store, within key ranges. */
final class HotRelation implements Relation {
    private final SqlTable table;
    private final List<KeyRange> within;

    /** @param within sorted, disjoint ranges */
    HotRelation(SqlTable table, List<KeyRange> within) {
        this.table = table;
        this.within = List.copyOf(within);
    }

    @Override
    public TableName name() {
        return table.name();
    }

    @Override
    public List<RelationColumn> columns() {
        return table.columns();
    }

    @Override
    public List<String> key() {
        return table.key();
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public AccessPath plan(String user, List<Condition> conditions) {
        return table.plan(user, conditions);
    }

    @Override
    public Rows open(Reader reader, Request request) {
        StoredRows rows = new RangeRows(table, reader, ranges(request), Direction.FORWARD);
        return new ShownRows(table, rows, request.withDeleted());
    }

    @Override
    public Optional<Batches> openBatches(Reader reader, Request request) {
        return table.hotBatches(reader, ranges(request), request);
    }

    private List<KeyRange> ranges(Request request) {
        List<KeyRange> wanted = request.path().ranges();
        if (within.equals(List.of(KeyRange.ALL))) {
            return wanted;
        }
        List<KeyRange> met = new ArrayList<>();
        for (KeyRange range : wanted) {
            for (KeyRange allowed : within) {
                KeyRange both =
                        KeyRange.between(later(range.from(), allowed.from()), earlier(range.to(), allowed.to()));
                if (!both.isEmpty()) {
                    met.add(both);
                }
            }
        }
        return met;
    }

    private static Bytes later(Bytes a, Bytes b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** The earlier end; empty means unbounded. */
    private static Bytes earlier(Bytes a, Bytes b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return a.compareTo(b) <= 0 ? a : b;
    }
}
