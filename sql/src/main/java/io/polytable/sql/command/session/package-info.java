/**
 * Sessions. A {@link io.polytable.sql.command.session.Session} parses a text and runs each statement, in the session's
 * open transaction or in one of its own ({@link io.polytable.sql.command.session.TransactionState}); the answer is an
 * {@link io.polytable.sql.command.session.Outcome}. {@link io.polytable.sql.command.session.SqlEngine} holds the state
 * that all sessions share. It is given the {@link io.polytable.sql.command.session.StatementRunner}, because the
 * packages that run statements depend on this one.
 */
@NullMarked
package io.polytable.sql.command.session;

import org.jspecify.annotations.NullMarked;
