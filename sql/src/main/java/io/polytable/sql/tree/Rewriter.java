package io.polytable.sql.tree;

import java.util.List;

/** A walk through a whole tree, queries inside expressions included, that may replace nodes on its way. */
public abstract class Rewriter {
    public Query query(Query query) {
        List<Query.Cte> with =
                query.with().stream().map(cte -> cte.with(query(cte.query()))).toList();
        Query changed = new Query(
                query.recursive(),
                with,
                body(query.body()),
                query.orders(),
                query.orderByAll(),
                query.limit(),
                query.offset(),
                query.at());
        return changed.mapModifiers(this::expression);
    }

    protected Query.Body body(Query.Body body) {
        if (body instanceof Query.Nested nested) {
            return new Query.Nested(query(nested.query()));
        }
        if (body instanceof Query.Values values) {
            return new Query.Values(
                    values.rows().stream()
                            .map(row -> Expression.mapped(row, this::expression))
                            .toList(),
                    values.at());
        }
        if (body instanceof Query.SetOperation operation) {
            return new Query.SetOperation(
                    operation.combination(),
                    operation.all(),
                    operation.byName(),
                    operation.parts().stream().map(this::body).toList());
        }
        Query.Select select = (Query.Select) body;
        return select.with(select.from().map(this::source)).map(this::expression);
    }

    protected Source source(Source source) {
        if (source instanceof Source.Join join) {
            return new Source.Join(
                    source(join.left()),
                    source(join.right()),
                    join.pairing(),
                    join.asof(),
                    join.natural(),
                    join.on().map(this::expression),
                    join.using(),
                    join.at());
        }
        if (source instanceof Source.Derived derived) {
            return new Source.Derived(query(derived.query()), derived.lateral(), derived.alias(), derived.at());
        }
        if (source instanceof Source.Function function) {
            Expression.Call call = function.call().map(this::expression);
            return new Source.Function(
                    call, function.lateral(), function.ordinality(), function.alias(), function.at());
        }
        return source;
    }

    protected Expression expression(Expression expression) {
        if (expression instanceof Expression.Subquery subquery) {
            return new Expression.Subquery(subquery.form(), query(subquery.query()), subquery.at());
        }
        if (expression instanceof Expression.Quantified quantified) {
            return new Expression.Quantified(
                    expression(quantified.operand()),
                    quantified.sign(),
                    quantified.all(),
                    query(quantified.query()),
                    quantified.at());
        }
        return expression.map(this::expression);
    }
}
