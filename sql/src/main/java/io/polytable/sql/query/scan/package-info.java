/**
 * How DuckDB reads our rows. A plan has a {@link io.polytable.sql.query.scan.ScanSlot} for each relation; when it runs, an
 * {@link io.polytable.sql.query.scan.OpenScan} fills the slot, and {@link io.polytable.sql.query.scan.ScanFunction} hands its
 * batches to DuckDB: only the columns that the query needs, within the key ranges that its WHERE leaves. Files and cached
 * columns are read beside it ({@link io.polytable.sql.query.scan.FileQuery}, {@link io.polytable.sql.query.scan.DuckBlocks}).
 */
@NullMarked
package io.polytable.sql.query.scan;

import org.jspecify.annotations.NullMarked;
