/**
 * Queries through DuckDB. {@link io.polytable.sql.query.QueryAnalyzer} has DuckDB parse the text, replaces every table by
 * a scan of ours, refuses relations and functions that are not known, and gives result columns PostgreSQL's names;
 * {@link io.polytable.sql.query.DuckEngine} runs what comes of it. Scans ({@link io.polytable.sql.query.ScanFunction}) read
 * the snapshot of the statement, only the columns that the query needs and only the key ranges that its WHERE leaves.
 */
@NullMarked
package io.polytable.sql.query;

import org.jspecify.annotations.NullMarked;
