/**
 * Runs the commands that README and the documentation show, and compares what they print.
 *
 * <p>{@link io.polytable.conformance.documentation.CommandBlock} reads the blocks of a page, {@link
 * io.polytable.conformance.documentation.Terminal} runs commands against one server.
 */
@NullMarked
package io.polytable.conformance.documentation;

import org.jspecify.annotations.NullMarked;
