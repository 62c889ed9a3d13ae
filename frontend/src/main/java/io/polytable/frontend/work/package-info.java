/**
 * Work that no client waits for. {@link io.polytable.frontend.work.Background} is a named thread with periodic tasks, one
 * rule for those that fail, and a bounded end.
 */
@NullMarked
package io.polytable.frontend.work;

import org.jspecify.annotations.NullMarked;
