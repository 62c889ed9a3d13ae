/** The page at {@code /} in a real browser. */
@NullMarked
package io.polytable.server.page;

import org.jspecify.annotations.NullMarked;
