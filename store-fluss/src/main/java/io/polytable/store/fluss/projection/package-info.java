/**
 * Tables in Fluss that anybody can read: what faces wrote, a row a thing, kept up from the change feed.
 *
 * <p>A face says what is shown of its rows ({@link io.polytable.table.view.Projection}); this package keeps the tables, and
 * knows no face. The {@link io.polytable.store.fluss.projection.Projector} is a thread that goes from window to window:
 *
 * <pre>
 * snapshot, durable -&gt; the feed up to it, chunk by chunk -&gt; touched rows, each as the snapshot has it
 *                      -&gt; acknowledged -&gt; notes -&gt; acknowledged -&gt; ... -&gt; the window's end is saved
 * </pre>
 *
 * <ul>
 *   <li>What a window writes depends on its snapshot alone, so a window that broke off is done again; a row only ever
 *       goes forward. Where to go on is a row in Fluss, beside the tables: any process that owns the log may go on.
 *   <li>Memory is bounded: touched rows are brought into their tables when there are many, or they are large.
 *   <li>When the log does not reach back to where the last window ended, or the saved row is not there, everything is
 *       written anew from a snapshot, and what the tables hold besides is removed.
 *   <li>Fluss being away stops nothing but the projection itself: it tries again, and the lag grows meanwhile.
 * </ul>
 *
 * <p>It has a connection of its own: tables by the megabyte must not stand in the log's way.
 */
@NullMarked
package io.polytable.store.fluss.projection;

import org.jspecify.annotations.NullMarked;
