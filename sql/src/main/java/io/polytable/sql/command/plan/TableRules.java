package io.polytable.sql.command.plan;

import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The defaults and checks of a table, compiled when they are first needed. */
public final class TableRules {
    private final TableDef def;
    private final @Nullable Compiled[] defaults;
    private @Nullable List<Compiled> checks;

    public TableRules(SqlTable table) {
        def = table.def();
        defaults = new Compiled[def.columns().size()];
    }

    /** The column's default value. */
    @Nullable
    public Object defaultOf(int column, Environment given) {
        String text = def.columns().get(column).defaultText();
        if (text == null) {
            return null;
        }
        Compiled known = defaults[column];
        if (known == null) {
            known = compiled(text, def.columns().get(column).type());
            defaults[column] = known;
        }
        return known.value(given);
    }

    /** Checks a row. A check that is NULL passes, as in SQL. */
    public void pass(@Nullable Object[] row, Environment given) {
        List<Compiled> conditions = checks;
        if (conditions == null) {
            conditions = conditions();
            checks = conditions;
        }
        for (int i = 0; i < conditions.size(); i++) {
            if (Boolean.FALSE.equals(conditions.get(i).value(row, given))) {
                throw new SqlError(
                        SqlCode.CHECK_VIOLATION,
                        "new row for relation \"" + def.name().name() + "\" violates check constraint ("
                                + def.checks().get(i) + ")");
            }
        }
    }

    private List<Compiled> conditions() {
        List<RelationColumn> columns = def.columns().stream()
                .map(column -> RelationColumn.shown(column.name(), column.type()))
                .toList();
        ExprCompiler compiler =
                new ExprCompiler(new Columns().with(List.of(def.name().name()), columns));
        return def.checks().stream()
                .map(QueryParser::expression)
                .map(compiler::condition)
                .toList();
    }

    private static Compiled compiled(String text, SqlType type) {
        return new ExprCompiler(new Columns())
                .compile(QueryParser.expression(text))
                .as(type);
    }

    /** Evaluates the text of a default. */
    public static @Nullable Object compute(String text, SqlType type, Environment given) {
        return compiled(text, type).value(given);
    }

    /** Rejects a default or check that we could not evaluate later. */
    public static void verify(Expression expr, Columns columns, String what) {
        try {
            new ExprCompiler(columns).compile(expr);
        } catch (NotCompilable unknown) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    what + " uses " + unknown.getMessage() + ", which is not available there",
                    expr.position());
        }
    }
}
