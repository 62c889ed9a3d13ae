package io.polytable.sql.tree;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** A sort key of ORDER BY. Without NULLS FIRST or LAST, NULL counts as the largest value. */
public record Order(Expression value, boolean descending, Optional<Boolean> nullsFirst) {
    public Order map(UnaryOperator<Expression> change) {
        return new Order(change.apply(value), descending, nullsFirst);
    }

    public static Order ascending(Expression value) {
        return new Order(value, false, Optional.empty());
    }
}
