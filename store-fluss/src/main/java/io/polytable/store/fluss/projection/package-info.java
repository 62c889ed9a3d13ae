/**
 * Readable tables in Fluss: what the faces wrote, one row per item, kept up to date from the change feed.
 *
 * <p>A face defines what is shown of its rows ({@link io.polytable.table.view.Projection}); this package maintains the
 * tables and knows no face. The {@link io.polytable.store.fluss.projection.Projector} is a thread that repeats {@link
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
 *   <li>Memory is bounded: touched rows are written when there are many, or they are large.
 *   <li>If the log does not reach back to the end of the last window, or the saved position is missing, everything is
 *       rewritten from a snapshot, and surplus rows are removed.
 *   <li>An outage of Fluss stops only the projection: it retries, and its lag grows meanwhile.
 * </ul>
 *
 * <p>It has its own connection: megabytes of table rows must not delay the log.
 */
@NullMarked
package io.polytable.store.fluss.projection;

import org.jspecify.annotations.NullMarked;
