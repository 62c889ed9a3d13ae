/**
 * What was acknowledged is there: after a restart, after {@code kill -9} in the middle of writes, and when many
 * connections write the same key.
 *
 * <p>A writer sends a sequence of operations that its number alone decides, and counts the acknowledged ones. A server
 * executes the commands of a connection in order and logs them in order, so after a crash all keys of a writer together
 * must show the state after exactly one prefix of its sequence, at least as long as what was acknowledged and no longer
 * than what was sent. That one sentence ({@link io.polytable.conformance.durability.Ledger}) covers lost writes, torn
 * multi-row batches, and an index that parted from its members.
 */
@NullMarked
package io.polytable.conformance.durability;

import org.jspecify.annotations.NullMarked;
