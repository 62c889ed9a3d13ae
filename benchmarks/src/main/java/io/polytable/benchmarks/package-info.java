/**
 * Measurements beside the peer: each line is ours, the peer's and the ratio, from one run on one machine. Nothing here is
 * asserted; what is quoted elsewhere comes from what these print.
 */
@NullMarked
package io.polytable.benchmarks;

import org.jspecify.annotations.NullMarked;
