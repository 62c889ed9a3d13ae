/**
 * What a query reads. Every {@link io.polytable.sql.model.relation.Relation} tells its columns and the ranges that
 * conditions leave, and opens batches of rows over a reader: our own tables do (see {@code table}), so does
 * {@link io.polytable.sql.model.relation.ViewRelation} for the tables that other faces show, and
 * {@link io.polytable.sql.model.relation.RowsRelation} for rows that exist only in memory.
 */
@NullMarked
package io.polytable.sql.model.relation;

import org.jspecify.annotations.NullMarked;
