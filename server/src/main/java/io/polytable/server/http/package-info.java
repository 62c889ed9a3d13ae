/**
 * The admin endpoint of the HTTP port: its paths and its {@link io.polytable.server.http.AdminToken}.
 *
 * <p>Health and metrics need no authentication. Everything under {@code /admin/} needs the token in the data directory,
 * which only the user who runs the server can read: whoever can read the data may administer the server.
 */
@NullMarked
package io.polytable.server.http;

import org.jspecify.annotations.NullMarked;
