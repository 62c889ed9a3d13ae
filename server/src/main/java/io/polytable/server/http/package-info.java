/**
 * The routes of the HTTP port, independent of sockets.
 *
 * <p>A {@link io.polytable.server.http.Route} is a method, a path and a function from {@link
 * io.polytable.server.http.HttpCall} to {@link io.polytable.server.http.HttpReply}; {@link
 * io.polytable.server.http.RouteTable} finds it. A frontend on the HTTP port passes
 * its routes to the server's wiring, which adds them to the table. The package {@code
 * wire} handles the bytes.
 *
 * <p>Health and metrics need no authentication. Everything under {@code /admin/}
 * needs the token in the data directory, which only the user who runs the server can read:
 * whoever can read the data may administer the server.
 */
@NullMarked
package io.polytable.server.http;

import org.jspecify.annotations.NullMarked;
