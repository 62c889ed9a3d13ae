package io.polytable.sql.expr;

import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Resolves column names of an expression in one or more rows laid side by side. */
public final class Columns {
    private final List<Named> named = new ArrayList<>();
    private int width;

    private record Named(List<String> qualifiers, RelationColumn column, int index) {}

    /** The index of a column in the row, its name and its type. */
    public record Found(int index, String name, SqlType type) {}

    /** Adds the columns of a row under the qualifiers of its table. */
    public Columns with(List<String> qualifiers, List<RelationColumn> columns) {
        for (RelationColumn column : columns) {
            named.add(new Named(qualifiers, column, width++));
        }
        return this;
    }

    /** The columns that {@code *} shows, or {@code table.*}. */
    public List<Found> shown(Optional<String> table, int position) {
        List<Named> meant = named.stream()
                .filter(each -> table.isEmpty() || each.qualifiers().contains(table.get()))
                .toList();
        if (meant.isEmpty() && table.isPresent()) {
            throw missing(table.get(), position);
        }
        return meant.stream()
                .filter(each -> !each.column().hidden())
                .map(Columns::found)
                .toList();
    }

    private static Found found(Named named) {
        return new Found(named.index(), named.column().name(), named.column().type());
    }

    private static SqlError missing(String table, int position) {
        return new SqlError(SqlCode.UNDEFINED_TABLE, "missing FROM-clause entry for table \"" + table + "\"", position);
    }

    public Found find(Expression.Column ref) {
        String name = ref.name();
        List<String> path = ref.path().subList(0, ref.path().size() - 1);
        List<Named> matches = named.stream()
                .filter(each -> each.column().name().equals(name) && isMeant(each, path))
                .toList();
        boolean stranger = !path.isEmpty()
                && named.stream().noneMatch(column -> column.qualifiers().contains(String.join(".", path)));
        if (stranger) {
            throw missing(String.join(".", path), ref.position());
        }
        if (matches.isEmpty()) {
            throw new SqlError(
                    SqlCode.UNDEFINED_COLUMN,
                    "column \"" + String.join(".", ref.path()) + "\" does not exist",
                    ref.position());
        }
        // In ON CONFLICT an unqualified name means the table's own column, which comes first.
        return found(matches.get(0));
    }

    private static boolean isMeant(Named column, List<String> path) {
        return path.isEmpty() || column.qualifiers().contains(String.join(".", path));
    }
}
