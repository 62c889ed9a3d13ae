/**
 * Our own tables: how rows are found. {@link io.polytable.sql.model.table.SqlTable} is a table as of one version of its
 * schema. A condition becomes ranges of keys ({@link io.polytable.sql.model.table.KeyPlan}), of the table itself or of an
 * index ({@link io.polytable.sql.model.table.SqlIndex}); the rows of these ranges come from the store, over those that were
 * flushed to files ({@link io.polytable.sql.model.table.ColdRows}).
 */
@NullMarked
package io.polytable.sql.model.table;

import org.jspecify.annotations.NullMarked;
