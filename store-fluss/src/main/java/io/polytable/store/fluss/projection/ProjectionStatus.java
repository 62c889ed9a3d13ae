package io.polytable.store.fluss.projection;

import java.util.Optional;

/**
 * How a projection stands.
 *
 * @param lagRecords commits that the tables do not show yet
 * @param lagMillis how old what they show is; 0 when they show everything
 * @param rows written and removed since the start
 * @param rebuilding how many rows a rebuild has written so far, while one runs
 * @param rebuilds how many have ended since the start
 * @param trouble why it does not go on at the moment
 */
public record ProjectionStatus(
        long lagRecords,
        long lagMillis,
        long rows,
        Optional<Long> rebuilding,
        long rebuilds,
        Optional<String> trouble) {}
