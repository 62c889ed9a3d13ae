package io.polytable.sql.command.compiled;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of compiled expressions of one table, for statements that clients repeat with other parameters. It lives as
 * long as the table's definition. Texts are parsed once, so a repeated statement has the same {@link Expression} objects, and
 * identity is the key.
 */
public final class CompiledExpressions {
    private static final int KEPT_MAX = 2000;

    private final Map<Same, Compiled> compiled = new ConcurrentHashMap<>();
    private final Map<Same, Optional<PointKey>> keys = new ConcurrentHashMap<>();
    private final Map<Same, Optional<PointSelect>> selects = new ConcurrentHashMap<>();
    private final Map<Same, InsertShape> inserts = new ConcurrentHashMap<>();

    /** A key that compares by identity. */
    private record Same(Object object) {
        @Override
        @SuppressWarnings("ReferenceEquality")
        public boolean equals(@Nullable Object other) {
            return other instanceof Same same && same.object == object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }
    }

    private static <T> T kept(Map<Same, T> map, Object key, Supplier<T> make) {
        Same same = new Same(key);
        T known = map.get(same);
        if (known == null) {
            known = make.get();
            if (map.size() >= KEPT_MAX) {
                map.clear();
            }
            map.put(same, known);
        }
        return known;
    }

    /** The compiled expression. One that calls functions is never cached: it may depend on the time or the user. */
    public Compiled of(Expression expr, Supplier<Compiled> compile) {
        Compiled known = compiled.get(new Same(expr));
        if (known != null) {
            return known;
        }
        return isPure(expr) ? kept(compiled, expr, compile) : compile.get();
    }

    /** The condition as a primary key given by parameters, if it is one. */
    public Optional<PointKey> key(Expression where, SqlTable table) {
        return kept(keys, where, () -> PointKey.of(where, table));
    }

    public Optional<PointSelect> select(Query query, Supplier<Optional<PointSelect>> plan) {
        return kept(selects, query, plan);
    }

    public InsertShape insert(Statement.Insert insert, Supplier<InsertShape> shape) {
        return kept(inserts, insert, shape);
    }

    public static boolean isPure(Expression expr) {
        return !expr.has(part -> part instanceof Expression.Call);
    }
}
