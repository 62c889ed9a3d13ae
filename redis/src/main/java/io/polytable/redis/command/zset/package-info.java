/**
 * The sorted-set families: {@link io.polytable.redis.command.zset.SortedSetCommands} by member,
 * {@link io.polytable.redis.command.zset.SortedSetRangeCommands} by range, {@code SortedSetAlgebraCommands} over several sets,
 * {@code BlockingSortedSetCommands}. The classes ending in {@code Words} and {@code Options} parse what follows the key.
 */
@NullMarked
package io.polytable.redis.command.zset;

import org.jspecify.annotations.NullMarked;
