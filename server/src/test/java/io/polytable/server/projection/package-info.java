/** Redis commands in, rows in a real Fluss cluster out. */
@NullMarked
package io.polytable.server.projection;

import org.jspecify.annotations.NullMarked;
