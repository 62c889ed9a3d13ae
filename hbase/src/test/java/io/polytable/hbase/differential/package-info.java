/**
 * One history, two servers, one answer: HBase's own client plays seeded histories to a real HBase and to our frontend, and
 * every result is compared.
 *
 * <p>A {@link io.polytable.hbase.differential.History} is drawn from a seed by {@link
 * io.polytable.hbase.differential.Writes}, {@link io.polytable.hbase.differential.Reads} and {@link
 * io.polytable.hbase.differential.Filters}; {@link io.polytable.hbase.differential.Duel} plays it to both sides, each time
 * under a row prefix of its own, so that histories share tables, and looks for the shortest part that still shows a
 * difference. {@link io.polytable.hbase.differential.Outcome} says what counts as the same answer.
 */
@NullMarked
package io.polytable.hbase.differential;

import org.jspecify.annotations.NullMarked;
