/** Logins over HTTP. */
@NullMarked
package io.polytable.server.auth;

import org.jspecify.annotations.NullMarked;
