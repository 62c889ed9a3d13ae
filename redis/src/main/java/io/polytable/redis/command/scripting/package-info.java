/** SCRIPT and FUNCTION as far as they go without an interpreter: there is nothing to list, to flush or to stop. */
@NullMarked
package io.polytable.redis.command.scripting;

import org.jspecify.annotations.NullMarked;
