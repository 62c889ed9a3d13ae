/**
 * Seeded random histories, run on a store and on the plainest thing that could be right.
 *
 * <p>A {@link io.polytable.table.testkit.history.Workload} makes {@link io.polytable.table.testkit.history.Step}s out of a
 * seed. Each step is done on two worlds, the store and nested sorted maps, and must answer the same text. When it does
 * not, the {@link io.polytable.table.testkit.history.Reducer} drops steps while the difference stays, and the test prints
 * what is left together with the seed. {@link io.polytable.table.testkit.history.HistoryContract} puts that together for
 * any store, with restarts, rows moved to disk and injected faults in between.
 */
@NullMarked
package io.polytable.table.testkit.history;

import org.jspecify.annotations.NullMarked;
