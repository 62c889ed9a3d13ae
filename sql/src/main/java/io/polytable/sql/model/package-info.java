/**
 * Namespaces, tables and their rows, as rows of the store.
 *
 * <p>{@link io.polytable.sql.model.Catalog} holds what is defined and writes it into the store's system tables.
 * {@link io.polytable.sql.model.SqlTable} is a table that can be read and written: {@link io.polytable.sql.model.RowFormat}
 * turns its rows into keys and values, {@link io.polytable.sql.model.TableWriter} keeps constraints and indexes. Every
 * statement works in a {@link io.polytable.sql.model.Transaction}: a write set over a snapshot, checked for conflicts when
 * it commits.
 *
 * <p>A query reads {@link io.polytable.sql.model.Relation}s: our own tables, the views of other faces, and rows that
 * exist only in memory.
 */
@NullMarked
package io.polytable.sql.model;

import org.jspecify.annotations.NullMarked;
