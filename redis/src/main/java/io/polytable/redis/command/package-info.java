/** Which commands exist, their shape, their refusals. */
@NullMarked
package io.polytable.redis.command;

import org.jspecify.annotations.NullMarked;
