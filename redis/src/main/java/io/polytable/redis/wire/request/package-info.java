/** Requests as they come in: RESP arrays and inline commands, cut into words, each within its limits. */
@NullMarked
package io.polytable.redis.wire.request;

import org.jspecify.annotations.NullMarked;
