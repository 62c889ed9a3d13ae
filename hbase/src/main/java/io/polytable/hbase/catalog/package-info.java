/**
 * Tables as clients see them: {@link io.polytable.hbase.catalog.Catalog} knows tables, states and regions at any moment,
 * {@link io.polytable.hbase.catalog.TableChanges} changes them one at a time. All of it is kept by the cell store: regions
 * are the split points of a table's definition and a number for each, states and namespaces are records beside it.
 */
@NullMarked
package io.polytable.hbase.catalog;

import org.jspecify.annotations.NullMarked;
