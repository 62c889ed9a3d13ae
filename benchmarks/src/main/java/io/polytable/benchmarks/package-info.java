/**
 * Measurements compared with a peer: each line has our figure, the peer's and the ratio, from one run on one machine. Nothing
 * here is asserted; figures quoted elsewhere come from this output.
 */
@NullMarked
package io.polytable.benchmarks;

import org.jspecify.annotations.NullMarked;
