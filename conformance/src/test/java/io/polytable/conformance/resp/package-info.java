/**
 * A small and exact RESP client for tests.
 *
 * <p>A byte string is a Java {@code String} in ISO-8859-1, one char per byte: that is lossless, and equality, patterns
 * and printing need no conversion. A reply keeps its bytes beside the parsed tree, since tests compare bytes. The
 * parser depends on the first byte of each item only, so RESP2 and RESP3 need no switch.
 */
@NullMarked
package io.polytable.conformance.resp;

import org.jspecify.annotations.NullMarked;
