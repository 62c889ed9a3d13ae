package io.polytable.sql.expr;

import io.polytable.sql.model.row.GeneratedIds;
import java.time.Instant;

/**
 * What an expression may ask about the statement it is in.
 *
 * @param now one moment for the whole statement
 */
public record Environment(String user, Instant now, GeneratedIds ids) {}
