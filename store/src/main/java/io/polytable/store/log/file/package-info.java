/**
 * A commit log in a directory of local files (docs/formats/log.md). Start at {@link io.polytable.store.log.file.FileLog}.
 *
 * <pre>
 * reserve   SegmentSupply   is there room? SegmentMaker makes files, Upkeep does it ahead of need
 * append    SegmentAppender one write at the end of the active Segment of the SegmentChain
 * sync      Syncer          one fdatasync for all who wait, noted in SyncMarks
 * read      FileLogReader   a file and a window of its own, a pin for each read
 * release   Retirement      whole segments go, or become spares for SegmentMaker
 * open      Inventory       which files must be there, by the ControlFile; LogRecovery: where the log ends, and why
 * all       LogFiles        the file system, or what tests make of it
 * </pre>
 *
 * <p>What makes it right:
 *
 * <ul>
 *   <li><em>Room before promises.</em> Files are written with zeros ahead of need, or used again, so that an append meets
 *       no full disk and a sync moves no metadata. Names and headers are forced before the first batch.
 *   <li><em>A place has its own checksums.</em> The salt is made of a secret, the segment and the offset. So the old bytes in
 *       a file that is used again, a block written to the wrong place, or bytes that a client made up are no batches.
 *   <li><em>Torn is not damaged.</em> Each batch, and the sync marks, say how far the log had been synced. What is not
 *       whole behind that was being written in a crash, was never promised, and is cut, and overwritten, so that it
 *       never comes back. What is not whole up to there was lost by the disk or by somebody, and stops the start.
 *   <li><em>No file can go missing unnoticed.</em> {@link io.polytable.store.log.file.ControlFile} says which there must be,
 *       and is changed after a file came and before one goes.
 *   <li><em>A failed sync is the end.</em> The operating system forgets the pages it could not write. Whoever opens the
 *       log next writes again what was not known to be synced.
 * </ul>
 *
 * <p>Threads: one appends, any sync, read, reserve and release. An append waits for nobody but the file system. The
 * upkeep thread prepares, syncs and releases segments; its lock is never held by an append.
 */
@NullMarked
package io.polytable.store.log.file;

import org.jspecify.annotations.NullMarked;
