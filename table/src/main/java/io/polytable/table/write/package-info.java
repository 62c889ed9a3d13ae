/**
 * What a commit changes: a {@link io.polytable.table.write.Batch} of puts and deletes, and a
 * {@link io.polytable.table.write.WriteSet}, a batch whose reads see its own changes.
 *
 * <p>A write set keeps its batch sorted by key once it is read ({@link io.polytable.table.write.ChangeIndex}), and merges it
 * with the store's rows in an {@link io.polytable.table.write.OverlayCursor}.
 */
@NullMarked
package io.polytable.table.write;

import org.jspecify.annotations.NullMarked;
