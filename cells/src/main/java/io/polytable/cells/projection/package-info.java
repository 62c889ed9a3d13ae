/**
 * Cell tables as tables of another system: one row per row key, one BYTES column per family, maintained from the
 * change feed. {@link io.polytable.cells.projection.CellProjection} defines the tables, {@code CellWindow} turns
 * changes into touched rows, {@code FamilyView} reads them, {@code FamilyColumns} encodes a row (docs/formats/cells.md), {@code
 * ShownNames} makes the names.
 */
@NullMarked
package io.polytable.cells.projection;

import org.jspecify.annotations.NullMarked;
