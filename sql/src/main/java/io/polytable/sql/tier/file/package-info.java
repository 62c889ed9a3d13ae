/**
 * Segments: Parquet files of a table's rows. {@link io.polytable.sql.tier.file.SegmentWriter} writes rows in key order.
 * {@link io.polytable.sql.tier.file.SegmentReader} finds one by key (statistics, bloom filters, page index) or scans
 * key ranges. DuckDB reads the files directly, without these classes.
 */
@NullMarked
package io.polytable.sql.tier.file;

import org.jspecify.annotations.NullMarked;
