/**
 * One history, two servers, one answer.
 *
 * <p>A {@link io.polytable.conformance.differential.Duel} plays each step to the reference and then to the server under
 * test, in lock-step over several connections, and compares the replies byte for byte. Three things soften that, each in
 * one place: {@link io.polytable.conformance.differential.Likeness} says which replies have no order, depend on chance or
 * on the clock; {@link io.polytable.conformance.differential.SevenTwo} rewrites a 7.0 reply as 7.2 gives it; and the
 * resource {@code redis-7.2-differences.txt} lists the other places where 7.2 wins. After the last step the whole key
 * space of both is compared.
 *
 * <p>A difference is reported with its seed and both replies, and with the shortest history that a {@link
 * io.polytable.conformance.differential.Reducer} finds to show it. That the harness itself sees no ghosts and is not
 * blind is proved with two reference servers, alike and unlike.
 */
@NullMarked
package io.polytable.conformance.differential;

import org.jspecify.annotations.NullMarked;
