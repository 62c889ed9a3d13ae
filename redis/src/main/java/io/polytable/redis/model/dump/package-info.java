/**
 * DUMP and RESTORE: a value in Redis' own format, that of its RDB files, followed by a version and a checksum
 * (docs/formats/redis-dump.md).
 *
 * <p>{@link io.polytable.redis.model.dump.Dumps} writes a key's value in the encoding that Redis would have chosen
 * for it; {@code Payload} seals and opens it; {@code ValueReader} decodes every encoding that Redis 7.2 reads,
 * modules' aside, and {@link io.polytable.redis.model.dump.Restores} turns it into rows. A payload may come from
 * anyone: each length is checked against the bytes that are left before anything is allocated for it.
 */
@NullMarked
package io.polytable.redis.model.dump;

import org.jspecify.annotations.NullMarked;
