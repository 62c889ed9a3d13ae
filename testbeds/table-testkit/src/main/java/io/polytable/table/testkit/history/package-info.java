/**
 * Seeded random histories, run on a store and on an oracle.
 *
 * <p>A {@link io.polytable.table.testkit.history.Workload} generates {@link io.polytable.table.testkit.history.Step}s
 * from a seed. Each step runs on two worlds, the store and nested sorted maps, and must return the same text. If it
 * does not, the {@link io.polytable.table.testkit.history.Reducer} drops steps while the difference remains, and the
 * test prints the reduced history together with the seed. {@link io.polytable.table.testkit.history.HistoryContract}
 * runs this for any store, with restarts, flushes and injected faults in between.
 */
@NullMarked
package io.polytable.table.testkit.history;

import org.jspecify.annotations.NullMarked;
