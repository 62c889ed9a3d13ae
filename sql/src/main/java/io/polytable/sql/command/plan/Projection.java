package io.polytable.sql.command.plan;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.dialect.ResultNames;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The compiled list of a SELECT or RETURNING: the columns of the result, and their values of each row. */
public record Projection(List<QueryRows.Output> outputs, List<Compiled> values) {
    /** Of a statement without RETURNING. */
    public static final Projection NOTHING = new Projection(List.of(), List.of());

    public Projection {
        outputs = List.copyOf(outputs);
        values = List.copyOf(values);
    }

    /** Unnamed columns are named as in PostgreSQL. */
    public static Projection of(List<Query.Item> items, ExprCompiler compiler) {
        List<QueryRows.Output> outputs = new ArrayList<>();
        List<Compiled> values = new ArrayList<>();
        for (Query.Item item : items) {
            if (item.value() instanceof Expression.Star star) {
                for (ExprCompiler.Shown shown : compiler.star(star)) {
                    outputs.add(new QueryRows.Output(shown.name(), shown.value().type()));
                    values.add(shown.value());
                }
                continue;
            }
            Compiled compiled = compiler.compile(item.value());
            Compiled typed = compiled.type().is(SqlType.Kind.UNKNOWN) ? compiled.as(SqlType.TEXT) : compiled;
            outputs.add(new QueryRows.Output(ResultNames.of(item), shown(typed.type())));
            values.add(typed);
        }
        return new Projection(outputs, values);
    }

    /** The type of a result column. A decimal without bounds is shown as NUMERIC is: a column has a scale. */
    private static SqlType shown(SqlType type) {
        return type.is(SqlType.Kind.DECIMAL) && type.precision() == 0 ? SqlType.NUMERIC : type;
    }

    /** The result of a row. */
    public @Nullable Object[] row(@Nullable Object[] row, Environment given) {
        @Nullable Object[] result = new Object[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).value(row, given);
        }
        return result;
    }
}
