/**
 * SQL tables, and how their rows are found. {@link io.polytable.sql.model.table.SqlTable} is a table in one version of
 * its schema. Conditions become key ranges ({@link io.polytable.sql.model.table.KeyPlan}) of the table or of an index
 * ({@link io.polytable.sql.model.table.SqlIndex}). The rows of these ranges come from the store, merged over flushed
 * rows ({@link io.polytable.sql.model.table.ColdRows}).
 */
@NullMarked
package io.polytable.sql.model.table;

import org.jspecify.annotations.NullMarked;
