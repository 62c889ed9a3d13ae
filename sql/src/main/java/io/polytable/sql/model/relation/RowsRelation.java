package io.polytable.sql.model.relation;

import io.polytable.table.Reader;
import io.polytable.table.TableName;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rows computed in memory, such as system tables. */
public final class RowsRelation implements Relation {
    private final TableName name;
    private final List<RelationColumn> columns;
    private final List<String> key;
    private final Supplier<List<@Nullable Object[]>> rows;
    private final Visibility visibility;

    /** Whether a user may see a row. */
    @FunctionalInterface
    public interface Visibility {
        boolean isVisible(String user, @Nullable Object[] row);
    }

    public RowsRelation(
            TableName name, List<RelationColumn> columns, List<String> key, Supplier<List<@Nullable Object[]>> rows) {
        this(name, columns, key, rows, (user, row) -> true);
    }

    private RowsRelation(
            TableName name,
            List<RelationColumn> columns,
            List<String> key,
            Supplier<List<@Nullable Object[]>> rows,
            Visibility visibility) {
        this.name = name;
        this.columns = List.copyOf(columns);
        this.key = List.copyOf(key);
        this.rows = rows;
        this.visibility = visibility;
    }

    /** The same, with fewer rows for some users. */
    public RowsRelation to(Visibility some) {
        return new RowsRelation(name, columns, key, rows, some);
    }

    @Override
    public TableName name() {
        return name;
    }

    @Override
    public List<RelationColumn> columns() {
        return columns;
    }

    @Override
    public List<String> key() {
        return key;
    }

    @Override
    public Rows open(Reader reader, Request request) {
        return new ListedRows(rows.get().stream()
                .filter(row -> visibility.isVisible(request.user(), row))
                .iterator());
    }

    private static final class ListedRows implements Rows {
        private final Iterator<@Nullable Object[]> rows;
        private @Nullable Object[] row = new Object[0];

        ListedRows(Iterator<@Nullable Object[]> rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            if (!rows.hasNext()) {
                return false;
            }
            row = rows.next();
            return true;
        }

        @Override
        public @Nullable Object[] row() {
            return row;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
