/**
 * The life cycle of a server: the lock of the data directory, the order of the start, and the
 * shutdown.
 *
 * <p>Order of a start: lock the data directory, open the HTTP port (so that {@code /health} answers
 * and {@code /ready} says no during a long recovery), open the engine, open the frontends, report
 * ready. A stop closes HTTP, the frontends and the engine, and releases the lock. A start that fails
 * half-way closes what it had opened, in the same order.
 *
 * <p>One process at a time locks a data directory; the operating system releases the lock when the
 * process ends. A command that gets the lock opens the directory itself; otherwise it
 * finds the server's address in the file {@code polytable.server}. That file is valid
 * only while the lock is held, and the next holder of the lock removes it first, so a file left by
 * a crash is never used.
 */
@NullMarked
package io.polytable.server.run;

import org.jspecify.annotations.NullMarked;
