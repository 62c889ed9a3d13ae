/**
 * What proves that a store keeps the contract, and what everything above a store is tested with.
 *
 * <ul>
 *   <li>{@link io.polytable.table.testkit.MemoryStore}: the plainest store that keeps the contract.
 *   <li>{@link io.polytable.table.testkit.contract}: the contract as tests that any store runs.
 *   <li>{@link io.polytable.table.testkit.history}: random histories against an oracle, made short when they fail.
 *   <li>Wrappers around any store: {@link io.polytable.table.testkit.CheckedStore} watches callers and store,
 *       {@link io.polytable.table.testkit.FaultyStore} fails by a plan, {@link io.polytable.table.testkit.Retries} hides
 *       that again, {@link io.polytable.table.testkit.HeldStore} holds durability back until it is told.
 *   <li>{@link io.polytable.table.testkit.ManualClock}: time that a test moves.
 * </ul>
 */
@NullMarked
package io.polytable.table.testkit;

import org.jspecify.annotations.NullMarked;
