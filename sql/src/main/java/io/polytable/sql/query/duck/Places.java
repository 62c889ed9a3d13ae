package io.polytable.sql.query.duck;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlError;
import java.util.List;

/** Finds where a query names a column, function, table or literal. */
final class Places extends Rewriter {
    private final String wanted;
    private int first = Integer.MAX_VALUE;

    private Places(String wanted) {
        this.wanted = wanted;
    }

    /** The first place of a name; {@link SqlError#NOWHERE} if the query does not have it. */
    static int of(Query query, String name) {
        Places places = new Places(name);
        Query unused = places.query(query);
        return places.first == Integer.MAX_VALUE ? SqlError.NOWHERE : places.first;
    }

    @Override
    protected Expression expression(Expression expression) {
        if (expression instanceof Expression.Column column) {
            look(column.path(), column.position());
        } else if (expression instanceof Expression.Call call) {
            look(List.of(call.function()), call.position());
        } else if (expression instanceof Expression.Constant constant) {
            look(List.of(constant.text()), constant.position());
        } else if (expression instanceof Expression.Star star) {
            star.table().ifPresent(table -> look(List.of(table), star.position()));
        }
        return super.expression(expression);
    }

    @Override
    protected Source source(Source source) {
        if (source instanceof Source.Table table) {
            look(table.path(), table.at().offset());
        } else if (source instanceof Source.Join join) {
            look(join.using(), join.at().offset());
        }
        return super.source(source);
    }

    private void look(List<String> path, int position) {
        boolean named =
                String.join(".", path).equalsIgnoreCase(wanted) || path.stream().anyMatch(wanted::equalsIgnoreCase);
        if (named && position >= 0) {
            first = Math.min(first, position);
        }
    }
}
