package io.polytable.sql.expr;

import io.polytable.sql.model.row.GeneratedIds;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What a statement was given, from which its expressions are computed.
 *
 * @param now the time at which the transaction began; that of the statement outside a transaction
 * @param statement the time at which the statement began
 * @param current the time of this attempt at the statement, for the version of the rows that it writes
 * @param parameters the values of its parameters
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared, and the array belongs to one statement.
public record Environment(
        String user,
        Instant now,
        Instant statement,
        Instant current,
        GeneratedIds ids,
        @Nullable Object[] parameters) {
    /** For literals, whose value depends on nothing. */
    static final Environment NONE = new Environment(
            "", Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, new GeneratedIds(InstantSource.system()), new Object[0]);
}
