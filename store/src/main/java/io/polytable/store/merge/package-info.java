/**
 * Merging of sorted rows. A {@link io.polytable.store.merge.Source} yields the rows of a range in key order, deletes
 * included: fresh rows of memory are one, a RocksDB iterator is another. A {@link io.polytable.store.merge.MergeCursor}
 * merges them, the newest source winning, and is the cursor that scans return.
 */
@NullMarked
package io.polytable.store.merge;

import org.jspecify.annotations.NullMarked;
