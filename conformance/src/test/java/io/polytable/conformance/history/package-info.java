/**
 * Seeded random histories of commands, generated in advance so that a reducer can drop steps from them.
 *
 * <p>Each command has one line of syntax in a resource ({@code /histories/*.txt}); {@link
 * io.polytable.conformance.history.Syntax} expands a line with words of a {@link
 * io.polytable.conformance.history.Vocabulary}, which draws valid and invalid ones, and a few words are then spoiled on
 * purpose. The seed determines everything.
 *
 * <p>Nothing in a history depends on a server's speed. Expiries are far away, long past, or awaited; relative ones are
 * at least ten seconds apart, so that {@code GT} and {@code LT} decide the same on both sides.
 */
@NullMarked
package io.polytable.conformance.history;

import org.jspecify.annotations.NullMarked;
