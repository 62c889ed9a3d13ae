/**
 * The cell store over primary-key tables, independent of any protocol.
 *
 * <p>A {@link io.polytable.cells.store.CellStore} creates, alters and saves tables. It keeps the {@code definition}s and
 * hands out {@link io.polytable.cells.store.CellTable}s, which take writes (see {@code write}) and, as {@link
 * io.polytable.cells.store.CellReads}, read through {@code io.polytable.cells.read}. {@code BackgroundCompaction} runs the
 * {@code Compactor}, which removes stored cells that no read can return. The tables appear in SQL through {@code view}.
 */
@NullMarked
package io.polytable.cells.store;

import org.jspecify.annotations.NullMarked;
