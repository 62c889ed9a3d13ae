package io.polytable.sql.query.dialect;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.TypeName;
import java.util.Optional;

/**
 * Functions that return the time. In PostgreSQL it is the time at which the transaction began, so DuckDB's own
 * functions, which know only the query's, become parameters.
 */
final class TimeFunctions {
    private TimeFunctions() {}

    /** The parameter that a call stands for, cast to the type of the function; empty for any other call. */
    static Optional<Expression> of(Expression.Call call) {
        if (call.size() > 0) {
            return Optional.empty();
        }
        At at = call.at();
        Expression now = moment(Expression.Parameter.NOW, TypeName.TIMESTAMP_WITH_ZONE, at);
        Expression local = moment(Expression.Parameter.NOW, TypeName.TIMESTAMP, at);
        return Optional.ofNullable(
                switch (call.function()) {
                    case "now", "transaction_timestamp", "current_timestamp", "get_current_timestamp" -> now;
                    case "statement_timestamp" ->
                        moment(Expression.Parameter.STATEMENT_TIME, TypeName.TIMESTAMP_WITH_ZONE, at);
                    case "current_date", "today" -> new Expression.Cast(now, TypeName.DATE, at);
                    case "current_time", "get_current_time" -> new Expression.Cast(now, TypeName.TIME_WITH_ZONE, at);
                    case "localtime" -> new Expression.Cast(local, TypeName.TIME, at);
                    case "localtimestamp" -> local;
                    default -> null;
                });
    }

    private static Expression moment(int parameter, TypeName type, At at) {
        return new Expression.Cast(new Expression.Parameter(parameter, at), type, at);
    }
}
