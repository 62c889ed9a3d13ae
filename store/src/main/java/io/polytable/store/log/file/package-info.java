/**
 * A commit log in a directory of local files (docs/formats/log.md). Start at {@link
 * io.polytable.store.log.file.FileLog}.
 *
 * <pre>
 * reserve   SegmentSupply   is there space? SegmentMaker creates files, LogMaintenance ahead of need
 * append    SegmentAppender one write at the end of the active Segment of the SegmentChain
 * sync      Syncer          one fdatasync for all waiting callers, recorded in SyncMarks
 * read      FileLogReader   its own file handle and read-ahead window, a pin for each read
 * release   Retirement      whole segments are deleted, or become spares for SegmentMaker
 * open      Inventory       which files must exist, by the ControlFile; LogRecovery: where the log ends, and why
 * all       LogFiles        the file system, or a simulated one in tests
 * </pre>
 *
 * <p>What makes it correct:
 *
 * <ul>
 *   <li><em>Space before promises.</em> Files are filled with zeros ahead of need, or recycled, so that an append meets
 *       no full disk and a sync writes no metadata. Names and headers are forced before the first batch.
 *   <li><em>Checksums are bound to their place.</em> The salt is derived from a secret, the segment and the offset. So
 *       old bytes in a recycled file, a misdirected write, or bytes crafted by a client never pass for batches.
 *   <li><em>Torn is not damaged.</em> Each batch, and the sync marks, record how far the log had been synced. An
 *       incomplete batch after that point was being written in a crash and was never promised: it is cut off and
 *       overwritten, so that it never comes back. An incomplete batch before that point is damage, and the log refuses
 *       to open.
 *   <li><em>No file can go missing unnoticed.</em> {@link io.polytable.store.log.file.ControlFile} lists the files that
 *       must exist. It is changed after a file is created and before one is deleted.
 *   <li><em>A failed sync is final.</em> The kernel drops the pages it could not write. The next process that opens the
 *       log writes everything again that is not known to be synced.
 * </ul>
 *
 * <p>Threads: one appends; any may sync, read, reserve and release. An append waits only for the file system. The
 * maintenance thread prepares, syncs and releases segments; an append never takes its lock.
 */
@NullMarked
package io.polytable.store.log.file;

import org.jspecify.annotations.NullMarked;
