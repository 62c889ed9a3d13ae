/**
 * A protocol of a few lines, as {@code docs/adding-a-protocol.md} builds it: each line that a client sends is stored and
 * sent back. {@link io.polytable.server.echo.EchoOpener} declares it, {@link io.polytable.server.echo.EchoFrontend} serves it.
 */
@NullMarked
package io.polytable.server.echo;

import org.jspecify.annotations.NullMarked;
