/** What all protocols know about their clients: {@link io.polytable.frontend.session.Credentials} is the one password. */
@NullMarked
package io.polytable.frontend.session;

import org.jspecify.annotations.NullMarked;
