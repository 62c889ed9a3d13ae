/**
 * One row as bytes and back. {@link io.polytable.sql.model.row.RowFormat} makes a key and a value of a row's columns, each
 * encoded by {@link io.polytable.sql.model.row.StoredValues}, and reads them as a
 * {@link io.polytable.sql.model.row.StoredRow}. {@link io.polytable.sql.model.row.GeneratedIds} draws the ids of rows that
 * bring none.
 */
@NullMarked
package io.polytable.sql.model.row;

import org.jspecify.annotations.NullMarked;
