/**
 * Scans: how DuckDB reads our rows. A plan has a {@link io.polytable.sql.query.scan.ScanSlot} for each relation; when
 * it runs, an {@link io.polytable.sql.query.scan.OpenScan} fills the slot, and
 * {@link io.polytable.sql.query.scan.ScanFunction} passes its batches to DuckDB: only the columns that the query needs,
 * within the key ranges that its WHERE leaves. {@link io.polytable.sql.query.scan.FileQuery} adds the rows in Parquet
 * files, {@link io.polytable.sql.query.scan.DuckBlocks} the cached columns.
 */
@NullMarked
package io.polytable.sql.query.scan;

import org.jspecify.annotations.NullMarked;
