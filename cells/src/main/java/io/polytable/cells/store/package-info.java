/**
 * The contract of a cell store, independent of any protocol.
 *
 * <p>A {@link io.polytable.cells.store.CellStore} creates, alters and saves tables. A {@link
 * io.polytable.cells.store.CellTable} takes writes and, as {@link io.polytable.cells.store.CellReads}, reads.
 *
 * <p>Every implementation passes the same test kit, {@code CellStoreContract}.
 */
@NullMarked
package io.polytable.cells.store;

import org.jspecify.annotations.NullMarked;
