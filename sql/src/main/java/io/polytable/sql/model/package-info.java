/**
 * Namespaces, tables and their rows, as rows of the store. From below to above:
 *
 * <ul>
 *   <li>{@code definition}: what a table, a column, an index or a view is, and how the catalog writes it down
 *   <li>{@code row}: one row as key and value
 *   <li>{@code relation}: what a query can read, whoever keeps it
 *   <li>{@code table}: our own tables and their indexes: how rows are found
 *   <li>{@code catalog}: all definitions of one store
 *   <li>{@code transaction}: reads of one moment, and writes that are checked for conflicts
 * </ul>
 */
@NullMarked
package io.polytable.sql.model;

import org.jspecify.annotations.NullMarked;
