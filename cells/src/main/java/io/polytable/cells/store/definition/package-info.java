/**
 * Definitions of cell tables and the physical tables that hold their cells.
 *
 * <p>A cell table is one physical table; its {@code Definition} has the specification and the physical table's name.
 * Truncate, restore and copy create another physical table ({@link
 * io.polytable.cells.store.definition.PhysicalTables}) and then point the definition to it. {@link
 * io.polytable.cells.store.definition.Definitions} persists them; a {@link
 * io.polytable.cells.store.definition.LiveTable} is a definition with its open physical table, as reads and writes use it.
 */
@NullMarked
package io.polytable.cells.store.definition;

import org.jspecify.annotations.NullMarked;
