/**
 * Tiering: rows move from the store into Parquet segments and remain rows of one table.
 *
 * <p>{@link io.polytable.sql.tier.Tiering} owns the parts and runs the jobs. {@link io.polytable.sql.tier.Flush} writes
 * the rows of a table into segments, makes them visible with one commit of their manifests, and only then deletes the
 * unchanged rows from the store. In between a row is in both places, which no reader notices: a row of the store hides
 * the flushed one. {@link io.polytable.sql.tier.Compaction} merges segments, {@link io.polytable.sql.tier.Cleanup}
 * deletes files that no manifest version references. Readers see flushed rows through
 * {@link io.polytable.sql.tier.ColdTable}.
 */
@NullMarked
package io.polytable.sql.tier;

import org.jspecify.annotations.NullMarked;
