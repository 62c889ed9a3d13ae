/**
 * DUMP and RESTORE: a value in Redis' own format, that of its RDB files, followed by a version and a checksum
 * (docs/formats/redis-dump.md).
 *
 * <p>{@link io.polytable.redis.model.dump.Dumps} writes a key's value in the encoding that Redis would have chosen for it;
 * {@link io.polytable.redis.model.dump.Payload} seals and opens it; {@link io.polytable.redis.model.dump.ValueReader} reads every
 * encoding that Redis 7.2 reads, modules' aside, and {@link io.polytable.redis.model.dump.Restores} makes rows of it. What is read
 * may come from anyone: each length is checked against what is there before anything is made of it.
 */
@NullMarked
package io.polytable.redis.model.dump;

import org.jspecify.annotations.NullMarked;
