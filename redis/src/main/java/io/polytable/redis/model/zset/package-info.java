/**
 * Sorted sets: a row from member to score, and the {@link io.polytable.redis.model.order} index from score and member
 * to rank.
 *
 * <p>{@link io.polytable.redis.model.zset.SortedSets} has every operation on one set;
 * {@link io.polytable.redis.model.zset.SetAlgebra} unions, intersections and differences. Both work on a
 * {@link io.polytable.redis.model.zset.SortedSet}, which is one set opened for one call and keeps both kinds of rows
 * in step.
 *
 * <p><b>The path of a ZADD</b>, from the client's bytes to the rows:
 *
 * <ol>
 *   <li>{@code command.zset.SortedSetCommands} reads options and elements ({@code ZAddOptions}) and calls
 *       {@code SortedSets.add} with {@code AddRules}.
 *   <li>{@code SortedSets.add} reads the key's header through the {@code Space} and opens a {@code SortedSet}: the
 *       member rows ({@code Elements}) and the {@code OrderIndex} with what the {@code FenceCache} remembers of it.
 *   <li>For each element the member's row has the old score. No row: {@code SortedSet.add}. Another score that the
 *       rules allow: {@code SortedSet.move}, which is a removal and an insertion in the order. Nothing else is
 *       written.
 *   <li>{@code OrderIndex.insert} puts the order row under its {@code SortKeys} key. A set of up to 128 elements ends
 *       here: no fences, its elements stay in memory as one {@code SmallOrder}.
 *   <li>In a larger set {@code Fences.added} descends a {@code FencePath} from the highest fences ({@code FencePage},
 *       read by {@code FenceRows} when not in the {@code FenceTree}) to the {@code Fence} that covers the place, adds
 *       one to the count of each, and splits those that now cover more than 128.
 *   <li>{@code SortedSet.save}, once per call, writes the rows of fences whose counts changed and, if the size
 *       changed, the header through {@code Space.put}. {@code Space.changed} reports the event: {@code zadd}, or
 *       {@code zincr}.
 *   <li>The dispatcher commits the unit. Others can use the changed trees from then on; when the commit fails or is
 *       rolled back, the trees stay owned by the failed unit and are read again.
 * </ol>
 *
 * <p>So a ZADD of one new member writes the member row, the order row, one fence row per level, and the header; of a
 * changed score, the first two, the old order row's tombstone and at most two fence rows per level.
 *
 * <p>A range that a client asks for ({@code ElementRange}: by rank, score or member) becomes a run of neighbouring
 * elements ({@code ElementRuns}), and a cursor of the index walks over it. A set that is stored whole (ZUNIONSTORE)
 * is written by a {@code SortedSetWriter}, which lays out its fences without lookups. {@code SortedSetCheck} and
 * {@code SortedSetRepair} are this type's part of {@code polytable check} and {@code repair}.
 */
@NullMarked
package io.polytable.redis.model.zset;

import org.jspecify.annotations.NullMarked;
