/**
 * The SQL frontend. {@link io.polytable.sql.SqlFace} is the entry point: it opens the catalog on a store and creates
 * sessions. {@link io.polytable.sql.Housekeeping} runs the periodic work.
 *
 * <p>The path of a statement: {@code wire} (HTTP) or a caller in this process gives text to a session in
 * {@code command}; {@code syntax} parses it; reads by key and all writes run on {@code model} (catalog, rows,
 * transactions) with expressions compiled by {@code expr}; every other SELECT goes to {@code query}, which restricts it
 * to known relations and functions and hands it to DuckDB, whose scans read the same snapshot. {@code type} has the
 * types, their values and the errors that all packages share.
 */
@NullMarked
package io.polytable.sql;

import org.jspecify.annotations.NullMarked;
