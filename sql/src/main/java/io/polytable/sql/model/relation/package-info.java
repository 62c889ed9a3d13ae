/**
 * What a query reads. A {@link io.polytable.sql.model.relation.Relation} has columns, narrows its key ranges by
 * conditions, and opens cursors over a reader. Implementations are SQL tables (see {@code table}),
 * {@link io.polytable.sql.model.relation.ViewRelation} for tables of other frontends, and
 * {@link io.polytable.sql.model.relation.RowsRelation} for rows computed in memory. For flushed rows it returns a
 * {@link io.polytable.sql.model.relation.FileScan}, whose files DuckDB reads directly.
 */
@NullMarked
package io.polytable.sql.model.relation;

import org.jspecify.annotations.NullMarked;
