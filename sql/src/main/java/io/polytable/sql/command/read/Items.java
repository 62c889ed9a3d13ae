package io.polytable.sql.command.read;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Expr;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlType;
import java.util.List;
import java.util.Locale;

/** Compiles the lists of SELECT and RETURNING, and names unnamed columns as PostgreSQL does. */
public final class Items {
    private static final String NAMELESS = "?column?";

    private Items() {}

    public static void compile(
            List<Statement.Item> items,
            List<RelationColumn> columns,
            ExprCompiler compiler,
            List<QueryRows.Output> outputs,
            List<Compiled> values) {
        for (Statement.Item item : items) {
            if (item.isStar()) {
                star(columns, outputs, values);
                continue;
            }
            Fragment fragment = item.value().orElseThrow();
            Expr expr = fragment.expr().orElseThrow(() -> new NotCompilable("an expression"));
            Compiled compiled = compiler.compile(expr);
            Compiled typed = compiled.type().is(SqlType.Kind.UNKNOWN) ? compiled.as(SqlType.TEXT) : compiled;
            outputs.add(new QueryRows.Output(item.alias().orElseGet(() -> name(expr)), shown(typed.type())));
            values.add(typed);
        }
    }

    /** The type of a result column. A decimal without bounds is shown as NUMERIC is: a column has a scale. */
    private static SqlType shown(SqlType type) {
        return type.is(SqlType.Kind.DECIMAL) && type.precision() == 0 ? SqlType.NUMERIC : type;
    }

    private static void star(List<RelationColumn> columns, List<QueryRows.Output> outputs, List<Compiled> values) {
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).hidden()) {
                int index = i;
                outputs.add(new QueryRows.Output(
                        columns.get(i).name(), columns.get(i).type()));
                values.add(new Compiled(columns.get(i).type(), (row, parameters) -> row[index], false));
            }
        }
    }

    static String name(Expr expr) {
        String strong = strong(expr);
        if (strong.equals(NAMELESS) && expr instanceof Expr.Cast cast) {
            return pgName(cast.type());
        }
        return strong.equals(NAMELESS) && expr instanceof Expr.Case ? "case" : strong;
    }

    /** The name of a column or function, which a cast around it keeps; a type's name is only a fallback. */
    private static String strong(Expr expr) {
        if (expr instanceof Expr.ColumnRef ref) {
            return ref.name();
        }
        if (expr instanceof Expr.Call call) {
            return call.function().equals("trim") ? "btrim" : call.function();
        }
        if (expr instanceof Expr.Cast cast) {
            return strong(cast.operand());
        }
        Expr otherwise = expr instanceof Expr.Case choice ? choice.otherwise() : null;
        return otherwise == null ? NAMELESS : strong(otherwise);
    }

    private static String pgName(SqlType type) {
        return switch (type.kind()) {
            case INT -> "int4";
            case BIGINT -> "int8";
            case SMALLINT -> "int2";
            case FLOAT -> "float4";
            case DOUBLE -> "float8";
            case BOOLEAN -> "bool";
            case DECIMAL -> "numeric";
            case TIMESTAMP -> "timestamptz";
            case TEXT -> type.precision() > 0 ? "varchar" : "text";
            default -> type.kind().name().toLowerCase(Locale.ROOT);
        };
    }

    static boolean isOurs(List<Statement.Item> items, ExprCompiler compiler) {
        try {
            for (Statement.Item item : items) {
                if (!item.isStar()) {
                    Fragment fragment = item.value().orElseThrow();
                    if (fragment.expr().isEmpty()) {
                        return false;
                    }
                    compiler.compile(fragment.expr().get());
                }
            }
            return true;
        } catch (NotCompilable notOurs) {
            return false;
        }
    }
}
