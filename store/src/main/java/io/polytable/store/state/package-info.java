/**
 * The ordered state: what all commits up to a position amount to, in RocksDB, a column family a table.
 *
 * <p>RocksDB's own log is off: the commit log is the log. What makes that safe is kept here and nowhere else: families
 * are flushed together or not at all ({@code atomic_flush}, and the one call that flushes passes every handle), the row
 * that tells the position is in the last batch of a generation, and rows are absolute, so that applying a generation
 * again changes nothing. A crash therefore leaves the state of some generation's end, perhaps with parts of later ones,
 * and replay of the log from the position heals it.
 */
@NullMarked
package io.polytable.store.state;

import org.jspecify.annotations.NullMarked;
