package io.polytable.sql.expr;

import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.syntax.Expr;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;

/** Resolves column names of an expression in one or more rows laid side by side. */
public final class Columns {
    private final List<Named> named = new ArrayList<>();
    private int width;

    private record Named(List<String> qualifiers, String name, SqlType type, int index) {}

    /** The index of a column in the row, and its type. */
    public record Found(int index, SqlType type) {}

    /** Adds the columns of a row under the qualifiers of its table. */
    public Columns with(List<String> qualifiers, List<RelationColumn> columns) {
        for (RelationColumn column : columns) {
            named.add(new Named(qualifiers, column.name(), column.type(), width++));
        }
        return this;
    }

    public Found find(Expr.ColumnRef ref) {
        String name = ref.name();
        List<String> path = ref.path().subList(0, ref.path().size() - 1);
        List<Named> matches = named.stream()
                .filter(column -> column.name().equals(name) && isMeant(column, path))
                .toList();
        boolean stranger = !path.isEmpty()
                && named.stream().noneMatch(column -> column.qualifiers().contains(String.join(".", path)));
        if (stranger) {
            throw new SqlError(
                    SqlCode.UNDEFINED_TABLE,
                    "missing FROM-clause entry for table \"" + String.join(".", path) + "\"",
                    ref.position());
        }
        if (matches.isEmpty()) {
            throw new SqlError(
                    SqlCode.UNDEFINED_COLUMN,
                    "column \"" + String.join(".", ref.path()) + "\" does not exist",
                    ref.position());
        }
        // In ON CONFLICT an unqualified name means the table's own column, which comes first.
        Named first = matches.get(0);
        return new Found(first.index(), first.type());
    }

    private static boolean isMeant(Named column, List<String> path) {
        return path.isEmpty() || column.qualifiers().contains(String.join(".", path));
    }
}
