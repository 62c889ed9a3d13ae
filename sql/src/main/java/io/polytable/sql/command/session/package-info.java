/**
 * A client's conversation. {@link io.polytable.sql.command.session.Session} parses a text and has each statement run, in
 * its transaction or in one of its own ({@link io.polytable.sql.command.session.TransactionState}); the answer is an
 * {@link io.polytable.sql.command.session.Outcome}. {@link io.polytable.sql.command.session.SqlEngine} holds what all sessions
 * share. Who runs statements is given to it, because the rooms of statements know this one.
 */
@NullMarked
package io.polytable.sql.command.session;

import org.jspecify.annotations.NullMarked;
