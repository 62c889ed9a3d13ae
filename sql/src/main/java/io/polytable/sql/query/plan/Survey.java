package io.polytable.sql.query.plan;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Rewriter;
import io.polytable.sql.tree.Source;
import java.util.HashSet;
import java.util.Set;

/**
 * What a whole query names, before it is bound.
 *
 * @param columns the names of its columns
 * @param derived whether it computes columns or variables in one part and uses them in another
 */
record Survey(Set<String> columns, boolean derived) {
    static Survey of(Query query) {
        Walk walk = new Walk();
        Query unused = walk.query(query);
        return new Survey(Set.copyOf(walk.columns), walk.derived);
    }

    private static final class Walk extends Rewriter {
        private final Set<String> columns = new HashSet<>();
        private boolean derived;

        @Override
        public Query query(Query query) {
            derived |= !query.with().isEmpty();
            return super.query(query);
        }

        @Override
        protected Source source(Source source) {
            derived |= source instanceof Source.Derived;
            return super.source(source);
        }

        @Override
        protected Expression expression(Expression expression) {
            if (expression instanceof Expression.Column column) {
                columns.add(column.name());
            }
            derived |= expression instanceof Expression.Lambda
                    || expression instanceof Expression.Subquery
                    || expression instanceof Expression.Quantified;
            return super.expression(expression);
        }
    }
}
