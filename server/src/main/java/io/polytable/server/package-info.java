/**
 * The server: its {@link io.polytable.server.Main}, and the one place ({@code Assembly}) where
 * rooms meet.
 *
 * <p>Everything else knows the rooms only through the interfaces of {@code run}; so who wants to
 * know which engine and which faces a server has reads one class.
 */
@NullMarked
package io.polytable.server;

import org.jspecify.annotations.NullMarked;
