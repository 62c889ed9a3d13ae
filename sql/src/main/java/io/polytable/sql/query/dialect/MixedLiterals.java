package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.TypeName;
import java.util.Optional;

/** Writes quoted dates as DuckDB reads them where they are compared with a date or timestamp: {@code DATE '...' IN ('20240105')}. */
final class MixedLiterals {
    private MixedLiterals() {}

    /** @param compared a comparison, BETWEEN, or IN with a list */
    static Expression apply(Expression compared) {
        Optional<TypeName> moment = compared.children().stream()
                .filter(Expression.Cast.class::isInstance)
                .map(cast -> ((Expression.Cast) cast).type())
                .filter(MixedLiterals::isMoment)
                .reduce((first, last) -> last);
        return moment.isEmpty() ? compared : compared.map(operand -> literal(operand, moment.get()));
    }

    private static boolean isMoment(TypeName type) {
        return type.is(TypeName.DATE) || type.is(TypeName.TIMESTAMP) || type.is(TypeName.TIMESTAMP_WITH_ZONE);
    }

    private static Expression literal(Expression operand, TypeName type) {
        return operand instanceof Expression.Constant constant && constant.kind() == Expression.Constant.Kind.STRING
                ? Literals.of(constant, type)
                : operand;
    }
}
