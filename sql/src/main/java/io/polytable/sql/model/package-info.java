/**
 * Namespaces, tables and their rows, as rows of the store. From bottom to top:
 *
 * <ul>
 *   <li>{@code definition}: tables, columns, indexes and views as values, and their JSON
 *   <li>{@code row}: one row as key and value ({@code RowFormat})
 *   <li>{@code relation}: what a query can read, from any frontend ({@code Relation})
 *   <li>{@code table}: SQL tables and their indexes, and how rows are found ({@code SqlTable})
 *   <li>{@code catalog}: all definitions of one store ({@code Catalog})
 *   <li>{@code transaction}: snapshot reads, and writes that are checked for conflicts ({@code Transaction})
 * </ul>
 */
@NullMarked
package io.polytable.sql.model;

import org.jspecify.annotations.NullMarked;
