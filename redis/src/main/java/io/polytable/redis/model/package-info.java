/** What a string, a hash, a sorted set is, said in rows and ranges. */
@NullMarked
package io.polytable.redis.model;

import org.jspecify.annotations.NullMarked;
