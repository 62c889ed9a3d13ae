/**
 * The effects of commits as commands for Redis replicas.
 *
 * <p>{@link io.polytable.redis.model.effect.CommitTranslator} looks at the rows that a unit of work is about to commit and
 * at those it replaces, and writes commands that make the same of a Redis that has what was there before. It sees rows,
 * not commands: so a script, a transaction, a blocked pop, an expiry and an import through SQL need no rules of their
 * own, and nothing that is random or depends on the time leaves the server.
 */
@NullMarked
package io.polytable.redis.model.effect;

import org.jspecify.annotations.NullMarked;
