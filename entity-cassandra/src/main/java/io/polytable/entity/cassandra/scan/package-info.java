/**
 * Scans: keys in the order of {@link io.polytable.entity.cassandra.scan.KeyIndex} where a table is ordered, in the order of tokens
 * elsewhere, and {@link io.polytable.entity.cassandra.scan.KeyCursor} reads their rows side by side.
 */
@NullMarked
package io.polytable.entity.cassandra.scan;

import org.jspecify.annotations.NullMarked;
