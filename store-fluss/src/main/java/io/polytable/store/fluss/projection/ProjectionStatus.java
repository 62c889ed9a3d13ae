package io.polytable.store.fluss.projection;

import java.util.Optional;

/**
 * The status of a projection.
 *
 * @param lagRecords commits that the tables do not show yet
 * @param lagMillis the age of what they show; 0 if they show everything
 * @param rows written and removed since the start
 * @param rebuilding rows written by the running rebuild, if any
 * @param rebuilds rebuilds completed since the start
 * @param trouble why it does not progress at present
 */
public record ProjectionStatus(
        long lagRecords,
        long lagMillis,
        long rows,
        Optional<Long> rebuilding,
        long rebuilds,
        Optional<String> trouble) {}
