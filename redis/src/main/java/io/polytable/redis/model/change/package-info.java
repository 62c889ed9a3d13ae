/**
 * Change listeners: the one place that learns of every change of a key, whatever changed (a value, a field, a member,
 * a deadline) and whoever changed it (a command, a transaction, expiry). WATCH, client tracking, keyspace
 * notifications, blocked clients and access clocks listen here.
 *
 * <p><b>To listen</b>, subscribe to the key space's {@link io.polytable.redis.model.change.KeyChanges} and say when
 * you want changes; until then a write costs one check of a flag:
 *
 * <pre>
 * KeyChanges.Subscription subscription = keyspace.changes().subscribe(listener);
 * subscription.wantChanges(true);      // e.g. with the first watched key; false again with the last
 * ...
 * public void committed(ChangeListener.Unit unit) {
 *     for (Change change : unit.changes()) { ... }
 * }
 * </pre>
 *
 * <p>A {@link io.polytable.redis.model.change.ChangeListener} is called once for each committed unit of work, after
 * the commit and before the stripes of its keys are released: for one key that is commit order, and a listener that
 * starts to want a key's changes under the key's stripe misses none. Listeners do not see units that failed or were
 * abandoned, nor changes that were rolled back to a savepoint ({@code UnitOfWork.savepoint}, {@code rollBackTo}). The
 * commit may not be durable yet: messages that leave the server wait for {@code unit.commit()}, as replies do.
 * {@code unit.origin()} is the client's session. Code that must act inside the unit, before its commit, reads
 * {@code space.unit().changes().soFar()} and must be subscribed by then.
 *
 * <p>A {@link io.polytable.redis.model.change.Change} is of one key, with the
 * {@link io.polytable.redis.model.change.KeyEvent} that Redis publishes for it (class and name) and the type the key
 * holds afterwards; or of a whole database, flushed or swapped.
 *
 * <p><b>To report a change</b>, a method of a type names its event where it changes the key:
 *
 * <pre>
 * private static final KeyEvent HSET = new KeyEvent(EventClass.HASH, "hset");
 * ...
 * space.put(key, header.withSize(...));
 * space.changed(key, HSET);
 * </pre>
 *
 * <p>{@code Space} records by itself: {@code new} when a key is created, {@code del} when it is removed or loses its
 * last element, {@code expired} when its deadline passed, and an unnamed change for a replaced header, which the next
 * event replaces. So name an event that adds after the {@code put}, and one that removes before it: Redis publishes
 * {@code new, hset} and {@code hdel, del}. A change of element rows alone is reported only by {@code changed}, with
 * {@link io.polytable.redis.model.change.KeyEvent#UNNAMED} where Redis publishes nothing.
 */
@NullMarked
package io.polytable.redis.model.change;

import org.jspecify.annotations.NullMarked;
