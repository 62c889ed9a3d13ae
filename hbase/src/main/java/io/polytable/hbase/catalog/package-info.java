/**
 * Tables as clients see them. {@link io.polytable.hbase.catalog.Catalog} holds the current tables, states and {@link
 * io.polytable.hbase.catalog.Region}s, {@link io.polytable.hbase.catalog.TableChanges} changes them one at a time and
 * reloads the catalog. The cell store persists all of it: regions as the split points of a table's definition with an
 * id each, states and namespaces as records.
 */
@NullMarked
package io.polytable.hbase.catalog;

import org.jspecify.annotations.NullMarked;
