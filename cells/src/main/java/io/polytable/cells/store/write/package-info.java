/**
 * The write path: from row writes to one commit.
 *
 * <p>{@link io.polytable.cells.store.write.WritePath} locks the stripes of the rows and commits. Beneath it {@code
 * RowWriter} evaluates conditions and {@link io.polytable.cells.store.write.Nonces}, takes a timestamp from {@code
 * RowClock} and turns edits into stored cells ({@code RowChanges}). {@code CounterCache} caches what repeated increments
 * would otherwise read.
 */
@NullMarked
package io.polytable.cells.store.write;

import org.jspecify.annotations.NullMarked;
