/**
 * What a string, a hash, a sorted set is, said in rows and ranges.
 *
 * <p>A room a type, and the rooms below them. Who needs a class guesses its room from this list:
 *
 * <table>
 * <caption>The rooms, from the bottom up</caption>
 * <tr><td>{@code number}</td><td>how Redis reads and prints numbers</td></tr>
 * <tr><td>{@code row}</td><td>the rows: headers, elements, their keys and bytes</td></tr>
 * <tr><td>{@code order}</td><td>an ordered, counted index over a collection's elements</td></tr>
 * <tr><td>{@code change}</td><td>who hears of changed keys: the ground of WATCH, tracking, notifications</td></tr>
 * <tr><td>{@code keyspace}</td><td>tables, databases, units of work, and what one can do with any key</td></tr>
 * <tr><td>{@code string}, {@code hash}, {@code zset}, {@code stream}</td><td>the types; a new type gets its room here and in {@code command}</td></tr>
 * <tr><td>{@code introspection}</td><td>what OBJECT and MEMORY USAGE tell of a value</td></tr>
 * <tr><td>{@code upkeep}</td><td>background work (expiry, garbage), {@code check} and {@code repair}</td></tr>
 * <tr><td>{@code view}</td><td>SQL views of the rows, and their projection to other systems</td></tr>
 * </table>
 *
 * <p>This package itself has what all rooms share: the {@link io.polytable.redis.model.Type}s,
 * {@link io.polytable.redis.model.RedisError} and {@link io.polytable.redis.model.Glob} patterns.
 *
 * <p><b>Rows.</b> A key has one row, its {@link io.polytable.redis.model.row.Header}: type, deadline, and the value itself
 * or the id of a collection. The elements of a collection are rows of another table under that id. So reading a string
 * is one read; deleting, expiring, overwriting, renaming and moving a collection of any size is one row; and a new
 * collection never meets an old one's elements, since ids are never used again. What is left behind is noted as garbage
 * in the same batch and swept in the background.
 *
 * <p><b>Work.</b> A worker holds the stripes of the keys it touches, and reads and writes through a
 * {@link io.polytable.redis.model.keyspace.UnitOfWork}; each of its databases is a
 * {@link io.polytable.redis.model.keyspace.Space}. The types ({@code Strings}, {@code Hashes}, {@code SortedSets}) keep no
 * state: every method takes the space first. A method of a type reads like this:
 *
 * <pre>
 * CollectionHeader hash = space.collectionOrNew(key, Type.HASH);
 * Elements fields = space.elements(hash, ElementKind.HASH_FIELD);
 * boolean isNew = fields.get(field).isEmpty();
 * fields.put(field, value);
 * if (isNew) {
 *     space.put(key, hash.withSize(hash.size() + 1));
 * }
 * </pre>
 *
 * <p><b>Time.</b> A unit sees one moment. An expired key reads as absent; a unit that writes removes those it meets.
 */
@NullMarked
package io.polytable.redis.model;

import org.jspecify.annotations.NullMarked;
