/**
 * Durability: acknowledged writes survive a restart, {@code kill -9} in the middle of writes, and concurrent writes of
 * the same key.
 *
 * <p>A writer sends a sequence of operations that is determined by its number, and counts the acknowledged ones. A
 * server executes and logs the commands of a connection in order. So after a crash the keys of a writer must have the
 * state after exactly one prefix of its sequence, at least as long as the acknowledged part and no longer than what was
 * sent. This invariant ({@link io.polytable.conformance.durability.Ledger}) covers lost writes, torn multi-row batches,
 * and an index that is inconsistent with its members.
 */
@NullMarked
package io.polytable.conformance.durability;

import org.jspecify.annotations.NullMarked;
