/**
 * The contract between the frontends and the engines: typed primary-key tables.
 *
 * <p>A {@link io.polytable.table.TableStore} holds {@link io.polytable.table.Table}s. A row is a key and a value, both
 * {@link io.polytable.table.Bytes}; a {@link io.polytable.table.TableSpec} maps them to typed columns.
 * Readers such as SQL and Flink see columns, while hot paths pass byte slices.
 *
 * <p>A command locks the {@link io.polytable.table.Stripes} of its keys, reads, puts rows into a
 * {@link io.polytable.table.write.Batch} (or a {@link io.polytable.table.write.WriteSet} if it must read its own writes), commits, and
 * unlocks the stripes. The commit is visible to reads at once. Its reply may be sent only when
 * {@link io.polytable.table.Commit#isDurable()}.
 *
 * <p>How columns become bytes: {@link io.polytable.table.codec.RowCodec} is a {@link io.polytable.table.codec.KeyCodec}, whose bytes
 * have the order of the key columns, and a {@link io.polytable.table.codec.ValueCodec} for the other columns.
 * Frontends with their own layouts use
 * {@link io.polytable.table.codec.KeyWriter} or bytes of their own, and expose them through views. docs/formats/keys.md and docs/formats/rows.md have the bytes.
 *
 * <p>Readers of many rows (SQL, exports) get {@link io.polytable.table.column.ColumnBatch}es: arrays without an object per value.
 *
 * <p>This package depends on no engine, protocol or network.
 */
@NullMarked
package io.polytable.table;

import org.jspecify.annotations.NullMarked;
