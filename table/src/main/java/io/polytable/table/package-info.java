/**
 * The contract between the faces and the engines: typed primary-key tables.
 *
 * <p>A {@link io.polytable.table.TableStore} holds {@link io.polytable.table.Table}s. A row is a key and a value, both
 * {@link io.polytable.table.Bytes}; a {@link io.polytable.table.TableSpec} says which typed columns they stand for, so
 * that whoever reads the table (SQL, Flink, a person) sees columns, while hot paths carry byte slices.
 *
 * <p>The life of a command: take the {@link io.polytable.table.Stripes} of what it touches, read, put rows into a
 * {@link io.polytable.table.Batch} (or a {@link io.polytable.table.WriteSet} when it must read its own writes), commit,
 * let the stripes go. The commit is visible to the next read at once; the outside world may hear of it only when
 * {@link io.polytable.table.Commit#isDurable()} says so.
 *
 * <p>How columns become bytes: {@link io.polytable.table.codec.RowCodec} is a {@link io.polytable.table.codec.KeyCodec}, whose bytes
 * have the order of the key columns, and a {@link io.polytable.table.codec.ValueCodec} for the other columns;
 * {@link io.polytable.table.view.SpecView} shows rows written so. Faces that lay out rows themselves use
 * {@link io.polytable.table.codec.KeyWriter} or bytes of their own, and show them through a
 * {@link io.polytable.table.view.TableView}. docs/formats/keys.md and docs/formats/rows.md have the bytes.
 *
 * <p>Who reads many rows (SQL, exports) asks a view with a {@link io.polytable.table.view.ViewScan}: which columns, between
 * which keys, how many rows. It gets them in {@link io.polytable.table.ColumnBatch}es, arrays without an object a value.
 *
 * <p>Nothing here knows an engine, a protocol or a network.
 */
@NullMarked
package io.polytable.table;

import org.jspecify.annotations.NullMarked;
