/**
 * What the HTTP port answers, without a word about sockets.
 *
 * <p>A {@link io.polytable.server.http.Route} is a method, a path and a function from {@link
 * io.polytable.server.http.HttpCall} to {@link io.polytable.server.http.HttpReply}; {@link
 * io.polytable.server.http.RouteTable} finds it. A face that wants to be reached over HTTP hands
 * its routes to the server's wiring, which puts them into the one table. The bytes are the {@code
 * wire} package's business.
 *
 * <p>Health and metrics are open to whoever reaches the port. Everything under {@code /admin/}
 * needs the token that lies in the data directory, readable only by the user who runs the server:
 * who can read the data may administer the server.
 */
@NullMarked
package io.polytable.server.http;

import org.jspecify.annotations.NullMarked;
