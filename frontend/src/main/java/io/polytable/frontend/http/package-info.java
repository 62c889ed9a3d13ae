/**
 * HTTP as all protocols on the HTTP port see it, independent of sockets. A {@link io.polytable.frontend.http.Route} is a
 * method, a path and what answers there; {@link io.polytable.frontend.http.Routes} finds it. A {@link
 * io.polytable.frontend.http.HttpRequest} is answered by an {@link io.polytable.frontend.http.HttpReply} or through a {@link
 * io.polytable.frontend.http.ReplyStream}. {@link io.polytable.frontend.http.RequestGuard} refuses what does not come from
 * where it should.
 */
@NullMarked
package io.polytable.frontend.http;

import org.jspecify.annotations.NullMarked;
