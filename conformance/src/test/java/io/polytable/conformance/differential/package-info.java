/**
 * Differential tests: the same history on two servers must have the same replies.
 *
 * <p>A {@link io.polytable.conformance.differential.Duel} runs each step on the reference and then on the server under
 * test, in lock-step over several connections, and compares the replies byte for byte. Three classes allow exceptions:
 * {@link io.polytable.conformance.differential.Likeness} says which replies have no order, are random or depend on the
 * clock; {@link io.polytable.conformance.differential.SevenTwo} translates a 7.0 reply to 7.2; and the resource {@code
 * redis-7.2-differences.txt} lists the other places where 7.2 differs. After the last step the whole key space of both
 * is compared.
 *
 * <p>A difference is reported with its seed and both replies, and with the shortest history that a {@link
 * io.polytable.conformance.differential.Reducer} finds. Tests with two reference servers, equal and unequal, show that
 * the harness has neither false positives nor false negatives.
 */
@NullMarked
package io.polytable.conformance.differential;

import org.jspecify.annotations.NullMarked;
