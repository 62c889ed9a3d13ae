/**
 * The Redis data types in terms of rows and key ranges.
 *
 * <p>Each type has a package, above the packages that all types share:
 *
 * <table>
 * <caption>The packages, from the bottom up</caption>
 * <tr><td>{@code number}</td><td>how Redis reads and prints numbers</td></tr>
 * <tr><td>{@code row}</td><td>the rows: headers, elements, their keys and bytes</td></tr>
 * <tr><td>{@code order}</td><td>an ordered, counted index over a collection's elements</td></tr>
 * <tr><td>{@code change}</td><td>listeners for changed keys: the basis of WATCH, tracking, notifications</td></tr>
 * <tr><td>{@code keyspace}</td><td>tables, databases, units of work, and commands on keys of any type</td></tr>
 * <tr><td>{@code string}, {@code bitmap}, {@code hyperloglog}, {@code hash}, {@code set}, {@code list},
 * {@code zset}, {@code geo}, {@code stream}</td><td>the types; a new type gets its package here and in
 * {@code command}</td></tr>
 * <tr><td>{@code packing}, {@code dump}</td><td>values in Redis' own formats</td></tr>
 * <tr><td>{@code sort}</td><td>the SORT command</td></tr>
 * <tr><td>{@code introspection}</td><td>OBJECT and MEMORY USAGE</td></tr>
 * <tr><td>{@code upkeep}</td><td>background work (expiry, garbage), {@code check} and {@code repair}</td></tr>
 * <tr><td>{@code view}</td><td>SQL views of the rows, and their projection to other systems</td></tr>
 * </table>
 *
 * <p>This package itself has what all of them share: the {@link io.polytable.redis.model.Type}s,
 * {@link io.polytable.redis.model.RedisError} and {@link io.polytable.redis.model.Glob} patterns.
 *
 * <p><b>Rows.</b> A key has one row, its {@link io.polytable.redis.model.row.Header}: type, deadline, and the value
 * itself or the id of a collection. The elements of a collection are rows of another table under that id. So reading
 * a string is one read. Deleting, expiring, overwriting, renaming or moving a collection of any size writes one row.
 * A new collection never meets an old one's elements, since ids are never reused. The same batch notes the elements
 * left behind as garbage, and a background job deletes them.
 *
 * <p><b>Work.</b> A worker holds the stripes of the keys it touches, and reads and writes through a
 * {@link io.polytable.redis.model.keyspace.UnitOfWork}; each of its databases is a
 * {@link io.polytable.redis.model.keyspace.Space}. The types ({@code Strings}, {@code Hashes}, {@code SortedSets})
 * keep no state: every method takes the space first. A method of a type reads like this:
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
 * <p><b>Time.</b> A unit of work sees one moment. An expired key reads as absent; a unit that writes deletes those it
 * meets.
 */
@NullMarked
package io.polytable.redis.model;

import org.jspecify.annotations.NullMarked;
