/**
 * Converts between HBase's types and those of {@code cells}: requests into selections ({@link
 * io.polytable.hbase.convert.Selections}), edits ({@link io.polytable.hbase.convert.Mutations}), conditions and
 * filters, and cells into {@link io.polytable.hbase.convert.Results}. {@link io.polytable.hbase.convert.StoredCell}
 * presents our cells to HBase's filters and codecs without a copy.
 */
@NullMarked
package io.polytable.hbase.convert;

import org.jspecify.annotations.NullMarked;
