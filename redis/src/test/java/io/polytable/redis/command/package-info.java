/** Declarations, the dispatcher, and each command that is about connections and the server. */
@NullMarked
package io.polytable.redis.command;

import org.jspecify.annotations.NullMarked;
