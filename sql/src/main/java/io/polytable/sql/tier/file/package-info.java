/**
 * Parquet files of a table's rows. {@link io.polytable.sql.tier.file.SegmentWriter} writes rows in the order of their keys,
 * {@link io.polytable.sql.tier.file.SegmentReader} finds one by key (statistics, bloom filters, page index) or walks over
 * ranges. Queries that DuckDB computes read the files themselves, without these classes.
 */
@NullMarked
package io.polytable.sql.tier.file;

import org.jspecify.annotations.NullMarked;
