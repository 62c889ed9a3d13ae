/**
 * Tiering: rows flow from the store into Parquet files and stay rows of one table.
 *
 * <p>{@link io.polytable.sql.tier.Tiering} knows the parts and runs the jobs. {@link io.polytable.sql.tier.Flush} writes a
 * table's rows into files, makes the files visible with one commit of their manifests, and only then deletes from the store
 * what has not changed since. Between the two a row is in both places, which nobody sees: a row of the store hides the one in a
 * file. {@link io.polytable.sql.tier.Compaction} merges files, {@link io.polytable.sql.tier.Cleanup} removes those that no
 * version of a manifest needs. {@link io.polytable.sql.tier.ColdTable} is what readers see of a table's files.
 */
@NullMarked
package io.polytable.sql.tier;

import org.jspecify.annotations.NullMarked;
