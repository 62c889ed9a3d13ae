/** The rows in memory by themselves. */
@NullMarked
package io.polytable.store.memory;

import org.jspecify.annotations.NullMarked;
