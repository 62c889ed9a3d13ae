/**
 * Ownership and fencing of a log, decided by the offsets of one Fluss bucket alone. This package makes every decision
 * and contains no Fluss: it works on {@link io.polytable.store.fluss.ownership.LogRows}, implemented by a Fluss table,
 * and by a model in the tests that run every interleaving of two and three servers.
 *
 * <p>An owner has an <em>epoch</em> and a random number, and writes only under keys that contain both, so no server
 * overwrites another's rows. {@link io.polytable.store.fluss.ownership.Takeover} wins a log:
 *
 * <pre>
 * read the offset -&gt; wait for the lease -&gt; announce (epoch, owner) -&gt; claim: must land at that offset
 *   -&gt; read the former owner's rows -&gt; confirm with the chain: must land next -&gt; lease: must land next -&gt; owner
 * </pre>
 *
 * <p>{@link io.polytable.store.fluss.ownership.FencedWriter} is the owner's writer: one write in flight, acknowledged
 * only if no claim of a later epoch landed before it. {@link io.polytable.store.fluss.ownership.Chain} lists the rows
 * that make up the log. docs/decisions/0010-fluss-ownership.md argues why this is safe.
 */
@NullMarked
package io.polytable.store.fluss.ownership;

import org.jspecify.annotations.NullMarked;
