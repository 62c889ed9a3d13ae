/**
 * What a string, a hash, a sorted set is, said in rows and ranges.
 *
 * <p><b>Rows.</b> A key has one row, its {@link io.polytable.redis.model.Header}: type, deadline, and the value itself
 * or the id of a collection. The elements of a collection are rows of another table under that id. So reading a string
 * is one read; deleting, expiring, overwriting, renaming and moving a collection of any size is one row; and a new
 * collection never meets an old one's elements, since ids are never used again. What is left behind is noted as garbage
 * in the same batch and swept in the background. {@code Layout} has the keys, docs/formats/redis.md the bytes.
 *
 * <p><b>Order.</b> Keys, hash fields and members lie in the order of a hash of their bytes ({@code Scatter}), not of the
 * bytes: a SCAN cursor is then a number that any restart and any write leaves valid, and a random place is a random key.
 *
 * <p><b>Work.</b> A worker holds the stripes of the keys it touches, and reads and writes through a
 * {@link io.polytable.redis.model.UnitOfWork}; each of its databases is a {@link io.polytable.redis.model.Space}. The
 * types ({@code Strings}, {@code Hashes}, {@code SortedSets}, {@code Keys}) keep no state: every method takes the space
 * first. A method of a type reads like this:
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
 * <p><b>Groups.</b> A store may keep its tables in several groups, and a unit's writes must stay in one. {@code GroupLayout}
 * says which table is where; the dispatcher refuses calls across before they get here.
 *
 * <p><b>Time.</b> A unit sees one moment. An expired key reads as absent; a unit that writes removes those it meets.
 */
@NullMarked
package io.polytable.redis.model;

import org.jspecify.annotations.NullMarked;
