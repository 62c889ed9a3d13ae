/**
 * Access control lists. {@link io.polytable.redis.command.acl.Rules} is what one user may do: a list of {@link
 * io.polytable.redis.command.acl.Selector}s, of which one must allow a call. {@link
 * io.polytable.redis.command.acl.RuleEditor} applies the words of ACL SETUSER to them. {@link
 * io.polytable.redis.command.acl.Accounts} compiles the rules of every user in the directory, which stores them as text.
 */
@NullMarked
package io.polytable.redis.command.acl;

import org.jspecify.annotations.NullMarked;
