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
 * <p>Nothing here knows an engine, a protocol or a network.
 */
@NullMarked
package io.polytable.table;

import org.jspecify.annotations.NullMarked;
