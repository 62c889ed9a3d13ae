/**
 * The ordered state: the result of all commits up to a position, in RocksDB, with one column family per table. {@link
 * io.polytable.store.state.StateWriter} writes generations into {@link io.polytable.store.state.State}, and reads come
 * back through {@link io.polytable.store.state.StateSource} and {@link io.polytable.store.state.StateSnapshot}.
 *
 * <p>RocksDB's own write-ahead log is off: the commit log is the log. Three rules, all kept in this package, make that
 * safe. Families are flushed together or not at all ({@code atomic_flush}, and the only flush passes every handle). The
 * row with the position is in the last batch of a generation. Rows are absolute values, so applying a generation again
 * changes nothing. A crash therefore leaves the state at the end of some generation, perhaps with parts of later ones,
 * and replaying the log from the position repairs it.
 */
@NullMarked
package io.polytable.store.state;

import org.jspecify.annotations.NullMarked;
