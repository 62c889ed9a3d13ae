/**
 * The clients of all protocols. {@link io.polytable.frontend.session.Sessions} lists every {@link
 * io.polytable.frontend.session.Session}: a Redis or HBase connection, an SQL session, a request for entities. Each acts
 * as a {@link io.polytable.frontend.session.Principal}; {@link io.polytable.frontend.session.Cancellation} stops what it
 * runs. {@link io.polytable.frontend.session.SlowRequests} lists what took long.
 */
@NullMarked
package io.polytable.frontend.session;

import org.jspecify.annotations.NullMarked;
