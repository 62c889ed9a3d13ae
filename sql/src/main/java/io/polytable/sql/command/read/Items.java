package io.polytable.sql.command.read;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.dialect.ResultNames;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlType;
import java.util.List;

/** Compiles the lists of SELECT and RETURNING, and names unnamed columns as PostgreSQL does. */
public final class Items {
    private Items() {}

    public static void compile(
            List<Query.Item> items, ExprCompiler compiler, List<QueryRows.Output> outputs, List<Compiled> values) {
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
    }

    /** The type of a result column. A decimal without bounds is shown as NUMERIC is: a column has a scale. */
    private static SqlType shown(SqlType type) {
        return type.is(SqlType.Kind.DECIMAL) && type.precision() == 0 ? SqlType.NUMERIC : type;
    }
}
