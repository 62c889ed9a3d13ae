/**
 * A raw RESP client for tests: exact, small, without opinion.
 *
 * <p>A byte string is a Java {@code String} in ISO-8859-1, one char a byte: equality, patterns and printing then come for
 * free, and nothing is lost. A reply keeps its bytes as they came beside the parsed tree, for the byte is what a client
 * sees. The parser follows the first byte of each item only, so RESP2 and RESP3 need no switch.
 */
@NullMarked
package io.polytable.conformance.resp;

import org.jspecify.annotations.NullMarked;
