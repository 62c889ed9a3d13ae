/**
 * The commit log: the order of all commits, kept.
 *
 * <p>A <em>record</em> is one commit; its position is its number, dense from 1. Records travel in <em>groups</em>: all
 * that was committed since the last write goes out in one. The bytes are laid out once, in the engine's memory, and the
 * same bytes are read from, applied and written ({@link io.polytable.store.log.GroupFormat}).
 *
 * <p>{@link io.polytable.store.log.CommitLog} is what the engine needs; its tests, {@code CommitLogContract}, are for
 * every log. {@link io.polytable.store.log.FileLog} keeps one in a directory (docs/formats/log.md):
 *
 * <pre>
 * reserve   SegmentSupply   is there room? SegmentMaker makes files, Upkeep does it ahead of need
 * append    Appender        one write at the end of the active Segment of the SegmentChain
 * sync      Syncer          one fdatasync for all who wait, noted in SyncMarks
 * read      FileLogReader   a file and a window of its own, a pin for each read
 * release   Retirement      whole segments go, or become spares for SegmentMaker
 * open      Inventory       which files must be there, by the ControlFile; Recovery: where the log ends, and why
 * all       LogFiles        the file system, or what tests make of it
 * </pre>
 *
 * <p>What makes it right:
 *
 * <ul>
 *   <li><em>Room before promises.</em> Files are written with zeros ahead of need, or used again, so that an append meets
 *       no full disk and a sync moves no metadata. Names and headers are forced before the first group.
 *   <li><em>A place has its own checksums.</em> The salt is made of a secret, the segment and the offset. So the old bytes in
 *       a file that is used again, a block written to the wrong place, or bytes that a client made up are no groups.
 *   <li><em>Torn is not damaged.</em> Each group, and the sync marks, say how far the log had been synced. What is not
 *       whole behind that was being written in a crash, was never promised, and is cut, and overwritten, so that it
 *       never comes back. What is not whole up to there was lost by the disk or by somebody, and stops the start.
 *   <li><em>No file can go missing unnoticed.</em> {@link io.polytable.store.log.ControlFile} says which there must be,
 *       and is changed after a file came and before one goes.
 *   <li><em>A failed sync is the end.</em> The operating system forgets the pages it could not write. Whoever opens the
 *       log next writes again what was not known to be synced.
 * </ul>
 *
 * <p>Threads: one appends, any sync, read, reserve and release. An append waits for nobody but the file system. The
 * upkeep thread prepares, syncs and releases segments; its lock is never held by an append.
 */
@NullMarked
package io.polytable.store.log;

import org.jspecify.annotations.NullMarked;
