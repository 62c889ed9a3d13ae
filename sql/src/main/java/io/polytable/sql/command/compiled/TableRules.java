package io.polytable.sql.command.compiled;

import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parsed defaults and checks of a table. */
public final class TableRules {
    private static final @Nullable Object[] NO_PARAMETERS = {};

    private final TableDef def;
    private final List<@Nullable Expression> defaults = new ArrayList<>();
    private final List<Expression> checks = new ArrayList<>();
    private final CompiledExpressions expressions = new CompiledExpressions();

    TableRules(SqlTable table) {
        def = table.def();
        for (ColumnDef column : def.columns()) {
            String text = column.defaultText();
            defaults.add(text == null ? null : QueryParser.expression(text));
        }
        def.checks().forEach(text -> checks.add(QueryParser.expression(text)));
    }

    /** The cache of expressions compiled for the table. */
    public CompiledExpressions expressions() {
        return expressions;
    }

    /** The column's default value. */
    @Nullable
    public Object defaultOf(int column, Environment environment) {
        Expression expr = defaults.get(column);
        if (expr == null) {
            return null;
        }
        SqlType type = def.columns().get(column).type();
        return new ExprCompiler(new Columns(), environment)
                .compile(expr)
                .as(type)
                .value(NO_PARAMETERS);
    }

    /** Compiles the check constraints. A check that is NULL passes, as in SQL. */
    public RowCheck check(Environment environment) {
        if (checks.isEmpty()) {
            return row -> {};
        }
        List<RelationColumn> columns = def.columns().stream()
                .map(column -> RelationColumn.shown(column.name(), column.type()))
                .toList();
        Columns scope = new Columns().with(List.of(def.name().name()), columns);
        ExprCompiler compiler = new ExprCompiler(scope, environment);
        List<Compiled> compiled = checks.stream().map(compiler::condition).toList();
        return row -> {
            for (int i = 0; i < compiled.size(); i++) {
                if (Boolean.FALSE.equals(compiled.get(i).value(row, NO_PARAMETERS))) {
                    throw new SqlError(
                            SqlCode.CHECK_VIOLATION,
                            "new row for relation \"" + def.name().name() + "\" violates check constraint ("
                                    + def.checks().get(i) + ")");
                }
            }
        };
    }

    /** The check constraints of a table, compiled; throws if a row violates one. */
    public interface RowCheck {
        void pass(@Nullable Object[] row);
    }

    /** Evaluates the text of a default. */
    public static @Nullable Object compute(String text, SqlType type, Environment environment) {
        return new ExprCompiler(new Columns(), environment)
                .compile(QueryParser.expression(text))
                .as(type)
                .value(NO_PARAMETERS);
    }

    /** Rejects a default or check that we could not evaluate later. */
    public static void verify(Expression expr, Columns columns, Environment environment, String what) {
        try {
            new ExprCompiler(columns, environment).compile(expr);
        } catch (NotCompilable unknown) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    what + " uses " + unknown.getMessage() + ", which is not available there",
                    expr.position());
        }
    }
}
