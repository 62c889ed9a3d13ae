/**
 * A server from start to stop: who holds the data directory, what is opened in which order, and
 * how it all closes again.
 *
 * <p>Order of a start: hold the data directory, open the HTTP port (so that {@code /health} answers
 * and {@code /ready} says no while a long recovery runs), open the engine, open the faces, say
 * ready. A stop is the same list backwards: no new requests, then faces, then the engine. A start
 * that fails half-way closes what it had opened, in the same way.
 *
 * <p>One process at a time holds a data directory, by a lock of the operating system that dies
 * with its holder. A command that gets the lock works on the directory itself; a command that does
 * not finds in the file {@code polytable.server} where the server listens. That file is believed
 * only while the lock is held, and whoever takes the lock removes it first, so that a file left by
 * a crash fools nobody.
 */
@NullMarked
package io.polytable.server.run;

import org.jspecify.annotations.NullMarked;
