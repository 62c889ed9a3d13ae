/** Statements about users and grants: {@link io.polytable.sql.command.user.UserCommands} runs them. */
@NullMarked
package io.polytable.sql.command.user;

import org.jspecify.annotations.NullMarked;
