/**
 * Readable tables in Fluss: what the frontends wrote, one row per item, kept up to date from the change feed.
 *
 * <p>A frontend defines what is shown of its rows ({@link io.polytable.frontend.view.FollowedViews}); this package maintains the
 * tables and knows no frontend. The {@link io.polytable.store.fluss.projection.Projector} is a thread that repeats {@link
 * io.polytable.store.fluss.projection.ProjectionRun}s, which go from window to window:
 *
 * <pre>
 * snapshot, durable -&gt; the feed up to it, chunk by chunk -&gt; touched rows, each as the snapshot has it
 *                      -&gt; acknowledged -&gt; notes -&gt; acknowledged -&gt; ... -&gt; the window's end is saved
 * </pre>
 *
 * <ul>
 *   <li>What a window writes depends on its snapshot alone, so an interrupted window is simply repeated, and rows only
 *       move forward. The position to continue from is a row in Fluss beside the tables: any process that owns the log
 *       can continue.
 *   <li>An owner that was fenced may still write, see below: the present owner repairs what it overwrites.
 *   <li>Memory is bounded: touched rows are written when there are many, or they are large.
 *   <li>If the log does not reach back to the end of the last window, or the saved position is missing, everything is
 *       rewritten from a snapshot, and surplus rows are removed.
 *   <li>An outage of Fluss stops only the projection: it retries, and its lag grows meanwhile.
 * </ul>
 *
 * <p>It has its own connection: megabytes of table rows must not delay the log.
 *
 * <h2>Fenced owners</h2>
 *
 * <p>Fluss has no conditional writes for tables with removals, so nothing stops an owner that was frozen in a window and
 * wakes after another took the log over. It checks its ownership before each batch, and so stops soon. But what it had in
 * flight when it froze lands in the tables at any later time, after the rows of its successor: rows with an older
 * content, removals of rows that exist again, notes, and its progress. The successor repairs them:
 *
 * <ul>
 *   <li>It follows the changelogs of all tables ({@link io.polytable.store.fluss.projection.TableWatch}), from offsets that
 *       are saved with the progress. So it sees every write that landed after the last verified one, also one that
 *       landed while nobody owned the log.
 *   <li>A fenced owner's snapshot holds only commits that it acknowledged, all of which are in the log that the successor
 *       found. So its rows have positions of at most the successor's first window, the <em>floor</em>. A row with a lower
 *       position is written again as the present snapshot has it; at the floor itself the two have the same content.
 *   <li>A removal has no position. Whoever removed a row, it is written again if the present snapshot has it.
 *   <li>A write that landed before the successor's write to the same row is already overwritten; repairing it again
 *       changes nothing. A repair has a position at or above the floor, so it is not repaired again.
 *   <li>Notes and progress are rows of one bucket, each with the position of its window
 *       ({@link io.polytable.store.fluss.projection.NotesHistory}). Owners write them with rising positions. A lower one
 *       behind a higher one is a fenced owner's. Late progress is passed over. A late note may hide a newer one that
 *       nothing else remembers, so the tables are rebuilt. Before the successor believes the saved progress it reads the
 *       notes' changelog up to a mark of its own.
 *   <li>A table that was dropped and created again behind the owner's back, or that lost rows, has another number or a
 *       lower end than saved: then the tables are rebuilt.
 * </ul>
 *
 * <p>What this cannot see: positions of another log in the same tables, and changes older than the changelog's retention
 * ({@code table.log.ttl}, seven days) that landed while no server ran.
 */
@NullMarked
package io.polytable.store.fluss.projection;

import org.jspecify.annotations.NullMarked;
