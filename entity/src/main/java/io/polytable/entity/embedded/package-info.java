/**
 * Entities over the cell store of this project: {@link io.polytable.entity.embedded.CellsEntityStore} over any {@code
 * CellStore}, and {@link io.polytable.entity.embedded.EmbeddedProvider}, which opens one in a directory of this process.
 *
 * <p>Each family of an entity table is a family of a cell table, named by its id; a locality group's properties apply to
 * all its families. A row is atomic over all of them.
 */
@NullMarked
package io.polytable.entity.embedded;

import org.jspecify.annotations.NullMarked;
