package io.polytable.sql.query;

import java.time.Instant;

/** The times that a query may ask for: those at which its transaction and its statement began. */
public record QueryTimes(Instant now, Instant statement) {}
