/**
 * Seeded random histories of commands, written in advance so that a reducer can drop steps from them.
 *
 * <p>Each command stands as one line of its syntax in a resource ({@code /histories/*.txt}); {@link
 * io.polytable.conformance.history.Syntax} expands a line with words of a {@link
 * io.polytable.conformance.history.Vocabulary}, which draws good and bad ones, and a few words are then spoiled on
 * purpose. The seed alone decides all of it.
 *
 * <p>Nothing in a history depends on how fast a server is. Expiries are far away, long past, or awaited; relative ones
 * lie at least ten seconds apart from each other, so that {@code GT} and {@code LT} decide the same on both sides.
 */
@NullMarked
package io.polytable.conformance.history;

import org.jspecify.annotations.NullMarked;
