/**
 * Servers as processes: started on a free loopback port in a directory of their own, awaited with a time-out, stopped
 * by their process handle.
 *
 * <p>If the reference server is missing, tests that need it are skipped with a message. Under {@code
 * -Dpolytable.ci=true} they fail instead.
 */
@NullMarked
package io.polytable.conformance.process;

import org.jspecify.annotations.NullMarked;
