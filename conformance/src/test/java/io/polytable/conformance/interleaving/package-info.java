/**
 * Several connections taking turns, beside the reference: transactions, watched keys and blocked calls. A {@code Script} is a
 * seeded sequence of moves; a {@code Party} plays it to one server and tells after each move what every connection was
 * answered.
 */
@NullMarked
package io.polytable.conformance.interleaving;

import org.jspecify.annotations.NullMarked;
