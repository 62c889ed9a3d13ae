/**
 * SQL over HTTP, independent of the HTTP server: {@link io.polytable.sql.wire.SqlEndpoint} takes a request's headers
 * and body. {@link io.polytable.frontend.http.RequestGuard} rejects it if it is not authenticated or comes from a foreign
 * web page. {@link io.polytable.sql.wire.KeptSessions} lends it a session, which runs the statements, and the results leave
 * as JSON, CSV or Arrow.
 */
@NullMarked
package io.polytable.sql.wire;

import org.jspecify.annotations.NullMarked;
