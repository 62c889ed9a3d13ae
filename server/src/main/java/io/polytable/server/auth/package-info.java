/**
 * Who a request on the HTTP port acts as. {@link io.polytable.server.auth.Authentication} decides it from the request's
 * bearer token: an access token that {@link io.polytable.server.auth.LoginEndpoint} issued for a password, a service token,
 * a token of an outside issuer, or the admin token of the data directory. Logins and service tokens are rows, so that
 * ending one takes effect at once.
 */
@NullMarked
package io.polytable.server.auth;

import org.jspecify.annotations.NullMarked;
