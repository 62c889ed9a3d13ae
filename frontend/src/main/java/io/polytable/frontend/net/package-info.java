/**
 * The network side of every protocol. A {@link io.polytable.frontend.net.Listener} binds an address, admits connections up
 * to a limit and closes them within a bounded time; only this package binds sockets. {@link
 * io.polytable.frontend.net.Network} has the event loops that protocols share, {@link io.polytable.frontend.net.Workers}
 * are the threads for what an event loop must not do.
 */
@NullMarked
package io.polytable.frontend.net;

import org.jspecify.annotations.NullMarked;
