/**
 * Scans: keys in the order of {@link io.polytable.entity.cassandra.scan.KeyIndex} for an ordered table, otherwise in
 * token order; {@link io.polytable.entity.cassandra.scan.KeyCursor} reads their rows in parallel.
 */
@NullMarked
package io.polytable.entity.cassandra.scan;

import org.jspecify.annotations.NullMarked;
