package io.polytable.sql.expr;

import io.polytable.sql.model.row.GeneratedIds;
import java.time.Instant;

/**
 * The context of the statement that an expression belongs to.
 *
 * @param now the time at which the transaction began; that of the statement outside a transaction
 * @param statement the time at which the statement began
 * @param current the time of this attempt at the statement, for the version of the rows that it writes
 */
public record Environment(String user, Instant now, Instant statement, Instant current, GeneratedIds ids) {}
