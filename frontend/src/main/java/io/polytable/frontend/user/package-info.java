/**
 * The users of all protocols. {@link io.polytable.frontend.user.Users} is the directory of every {@link
 * io.polytable.frontend.user.User}; it keeps them in the system table {@code system.users}, so they are in the log, in
 * backups and on Fluss. A {@link io.polytable.frontend.user.Secret} verifies a password. {@link
 * io.polytable.frontend.user.Grants} decides what a user may do with a table, for every protocol; what Redis lets a user do
 * beyond that is a text that only Redis reads.
 */
@NullMarked
package io.polytable.frontend.user;

import org.jspecify.annotations.NullMarked;
