/**
 * Keys of any type: the tables, the databases, units of work, expiry, renaming and iteration.
 *
 * <p>{@link io.polytable.redis.model.keyspace.Keyspace} is opened once per store. Each worker takes a
 * {@link io.polytable.redis.model.keyspace.UnitOfWork} from it: reads see the unit's own writes, {@code commit} writes
 * all of them as one batch, a failure drops all of them, {@code savepoint} and {@code rollBackTo} undo a part.
 * {@link io.polytable.redis.model.keyspace.Space} is one database seen through a unit and the first argument of every
 * method of the types; all changes of keys' headers pass through it.
 *
 * <p>The path of a write: {@code Space} reads the header, the type changes element rows and puts the header back, the
 * unit keeps the key counts ({@code KeyCounts}) and the expiry and garbage rows in step, and commits.
 *
 * <p><b>Databases.</b> The first byte of a key's row is a physical database. FLUSHDB and SWAPDB only change which
 * physical database stands for which number ({@code Databases}); the background drops the keys of a flushed one.
 *
 * <p><b>Partitions.</b> A store may keep its tables in several partitions, and a unit's writes must stay in one.
 * {@code PartitionLayout} places the tables; the dispatcher refuses calls across partitions before they get here.
 */
@NullMarked
package io.polytable.redis.model.keyspace;

import org.jspecify.annotations.NullMarked;
