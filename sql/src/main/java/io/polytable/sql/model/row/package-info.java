/**
 * Encoding of rows. {@link io.polytable.sql.model.row.RowFormat} encodes the columns of a row as key and value, each
 * column by {@link io.polytable.sql.model.row.StoredValues}, and decodes them to a
 * {@link io.polytable.sql.model.row.StoredRow}. {@link io.polytable.sql.model.row.GeneratedIds} generates row ids for
 * tables without a primary key.
 */
@NullMarked
package io.polytable.sql.model.row;

import org.jspecify.annotations.NullMarked;
