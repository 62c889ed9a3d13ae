/**
 * DuckDB as a library. {@link io.polytable.sql.query.duck.DuckRoot} starts it when a query first needs it and opens
 * connections, {@link io.polytable.sql.query.duck.DuckValues} converts its values and
 * {@link io.polytable.sql.query.duck.DuckErrors} its errors.
 */
@NullMarked
package io.polytable.sql.query.duck;

import org.jspecify.annotations.NullMarked;
