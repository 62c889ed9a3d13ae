/**
 * The test kit of stores, and test doubles for everything above a store.
 *
 * <ul>
 *   <li>{@link io.polytable.table.testkit.MemoryStore}: the reference implementation of the contract.
 *   <li>{@link io.polytable.table.testkit.contract}: the contract as tests that any store runs.
 *   <li>{@link io.polytable.table.testkit.history}: random histories against an oracle, reduced when they fail.
 *   <li>Wrappers around any store: {@link io.polytable.table.testkit.CheckedStore} checks callers and store, {@link
 *       io.polytable.table.testkit.FaultyStore} injects failures, {@link io.polytable.table.testkit.Retries} retries
 *       them, {@link io.polytable.table.testkit.DelayedDurabilityStore} delays durability until a test releases it.
 *   <li>{@link io.polytable.table.testkit.ManualClock}: a clock that a test moves. {@link
 *       io.polytable.table.testkit.MemoryTempDirs}: temporary directories in memory.
 * </ul>
 */
@NullMarked
package io.polytable.table.testkit;

import org.jspecify.annotations.NullMarked;
