/**
 * Rows of several places as one sorted stream. A {@link io.polytable.store.merge.Source} gives the rows of a range in key
 * order, deletes among them: fresh rows of memory are one, a RocksDB iterator is one. A
 * {@link io.polytable.store.merge.MergeCursor} merges them, newest first, and is the cursor that scans return.
 */
@NullMarked
package io.polytable.store.merge;

import org.jspecify.annotations.NullMarked;
