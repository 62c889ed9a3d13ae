/** Main, configuration and wiring. */
@NullMarked
package io.polytable.server;

import org.jspecify.annotations.NullMarked;
