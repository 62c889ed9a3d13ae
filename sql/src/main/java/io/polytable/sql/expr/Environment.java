package io.polytable.sql.expr;

import io.polytable.sql.model.row.GeneratedIds;
import java.time.Instant;

/**
 * The context of the statement that an expression belongs to.
 *
 * @param now one time for the whole statement
 */
public record Environment(String user, Instant now, GeneratedIds ids) {}
