/**
 * What a protocol is to the server that runs it: a {@link io.polytable.frontend.FrontendOpener} declares its settings, its
 * shares of memory and its HTTP paths, verifies its rows, and opens a {@link io.polytable.frontend.Frontend} from a {@link
 * io.polytable.frontend.FrontendContext}. The packages below are what protocols share, and what none of them owns.
 *
 * <p>{@code docs/adding-a-protocol.md} walks through a protocol of a few lines.
 */
@NullMarked
package io.polytable.frontend;

import org.jspecify.annotations.NullMarked;
