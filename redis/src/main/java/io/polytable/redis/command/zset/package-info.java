/**
 * The sorted-set families: {@link io.polytable.redis.command.zset.SortedSetCommands} by member,
 * {@link io.polytable.redis.command.zset.SortedSetRangeCommands} by range, {@code SortedSetAlgebraCommands} over
 * several sets, {@code BlockingSortedSetCommands}. {@code ZAddOptions}, {@code RangeOptions} and
 * {@code AlgebraArguments} parse what follows the key.
 */
@NullMarked
package io.polytable.redis.command.zset;

import org.jspecify.annotations.NullMarked;
