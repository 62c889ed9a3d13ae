package io.polytable.sql.command.plan;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Conditions;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tree.Expression;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A compiled WHERE: the whole condition, and those of it that select rows by key. */
public record Selection(Optional<Compiled> filter, Conditions conditions) {
    public static Selection of(Optional<Expression> where, ExprCompiler compiler, SqlTable table) {
        return new Selection(where.map(compiler::condition), Conditions.of(where, compiler, table.columns()));
    }

    public List<Condition> conditions(Environment given) {
        return conditions.of(given);
    }

    public AccessPath path(SqlTable table, Environment given) {
        return table.plan(given.user(), conditions(given));
    }

    public boolean holds(@Nullable Object[] row, Environment given) {
        return filter.isEmpty() || filter.get().holds(row, given);
    }
}
