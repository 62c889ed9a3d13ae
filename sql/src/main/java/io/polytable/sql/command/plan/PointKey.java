package io.polytable.sql.command.plan;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Expression.Comparison.Sign;
import io.polytable.sql.type.SqlType;
import io.polytable.table.RowKey;
import io.polytable.table.TableKind;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition that equates each column of the primary key with a parameter, and nothing else.
 *
 * @param parameters for each column of the table, the index of its parameter, or -1
 */
@SuppressWarnings("ArrayRecordComponent") // Keys are never compared, and the array is not shared.
public record PointKey(int[] parameters) {
    public static Optional<PointKey> of(Expression where, SqlTable table) {
        TableDef def = table.def();
        if (def.hasRowId() || def.kind() == TableKind.STREAM) {
            return Optional.empty();
        }
        int[] parameters = new int[def.columns().size()];
        Arrays.fill(parameters, -1);
        boolean only = collect(where, def, parameters);
        long given = Arrays.stream(parameters).filter(number -> number >= 0).count();
        return only && given == def.key().size() ? Optional.of(new PointKey(parameters)) : Optional.empty();
    }

    private static boolean collect(Expression where, TableDef def, int[] parameters) {
        if (where instanceof Expression.Logical logical) {
            return logical.and() && logical.operands().stream().allMatch(each -> collect(each, def, parameters));
        }
        boolean equality = where instanceof Expression.Comparison comparison
                && comparison.sign() == Sign.EQUAL
                && comparison.left() instanceof Expression.Column
                && comparison.right() instanceof Expression.Parameter;
        if (!equality) {
            return false;
        }
        Expression.Comparison comparison = (Expression.Comparison) where;
        Expression.Column column = (Expression.Column) comparison.left();
        int index = column.path().size() == 1 ? def.indexOf(column.name()) : -1;
        if (index < 0 || parameters[index] >= 0 || !def.isKey(def.columns().get(index))) {
            return false;
        }
        parameters[index] = ((Expression.Parameter) comparison.right()).number() - 1;
        return true;
    }

    /** The row's key, if the values already have their columns' types; otherwise the caller takes the general path. */
    public Optional<RowKey> key(SqlTable table, String user, @Nullable Object[] given) {
        @Nullable Object[] row = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] >= 0) {
                ColumnDef column = table.def().columns().get(i);
                Object value = parameters[i] < given.length ? given[parameters[i]] : null;
                Object fitting = fitting(column.type(), value);
                if (fitting == null) {
                    return Optional.empty();
                }
                row[i] = fitting;
            }
        }
        return Optional.of(table.keyOf(user, row));
    }

    private static @Nullable Object fitting(SqlType type, @Nullable Object value) {
        return switch (type.kind()) {
            case BIGINT ->
                value instanceof Integer number ? (Object) number.longValue() : value instanceof Long ? value : null;
            case INT -> value instanceof Integer ? value : null;
            case TEXT -> value instanceof String ? value : null;
            default -> null;
        };
    }
}
