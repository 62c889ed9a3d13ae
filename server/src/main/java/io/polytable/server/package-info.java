/**
 * The entry point of the process: {@link io.polytable.server.Main} passes the components that {@code assembly}
 * wires together to the commands of {@code cli}.
 */
@NullMarked
package io.polytable.server;

import org.jspecify.annotations.NullMarked;
