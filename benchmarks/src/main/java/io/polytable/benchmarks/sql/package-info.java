/**
 * The SQL frontend compared with SQLite, H2 and DuckDB. {@link io.polytable.benchmarks.sql.SqlBenchmark} runs
 * everything; a {@link io.polytable.benchmarks.sql.PointSide} is one database with access by key.
 */
@NullMarked
package io.polytable.benchmarks.sql;

import org.jspecify.annotations.NullMarked;
