/** Measurements beside the peer. */
@NullMarked
package io.polytable.benchmarks;

import org.jspecify.annotations.NullMarked;
