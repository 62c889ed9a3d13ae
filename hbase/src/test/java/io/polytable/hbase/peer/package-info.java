/** A real HBase to compare with: {@link io.polytable.hbase.peer.HBaseNode}. */
@NullMarked
package io.polytable.hbase.peer;

import org.jspecify.annotations.NullMarked;
