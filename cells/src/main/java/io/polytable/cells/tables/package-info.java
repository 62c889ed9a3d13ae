/**
 * The cell store over primary-key tables.
 *
 * <p>{@link io.polytable.cells.tables.TableCellStore} is the entry point. It keeps the {@code definition}s and hands out
 * {@code TableCellTable}s, whose reads go through {@code TableReads} to {@code io.polytable.cells.read} and whose writes
 * go to {@code write}. {@code BackgroundCompaction} runs the {@code Compactor}, which removes stored cells that no read
 * can return. The tables appear in SQL through {@code view}.
 */
@NullMarked
package io.polytable.cells.tables;

import org.jspecify.annotations.NullMarked;
