/**
 * Between HBase's types and those of {@code cells}: reads ({@link io.polytable.hbase.convert.Selections}), changes ({@link
 * io.polytable.hbase.convert.Mutations}), conditions, filters, descriptors and results. A cell of ours is one of HBase's
 * without a copy ({@link io.polytable.hbase.convert.StoredCell}); filters and codecs are HBase's own classes.
 */
@NullMarked
package io.polytable.hbase.convert;

import org.jspecify.annotations.NullMarked;
