/**
 * Servers as processes: started on a free loopback port in a directory of their own, awaited within a bound, stopped by
 * the process that was started and no other.
 *
 * <p>The reference server may be missing on a developer's machine; then the test that wants it is skipped with a
 * sentence. Under {@code -Dpolytable.ci=true} nothing is skipped: there a missing reference fails.
 */
@NullMarked
package io.polytable.conformance.process;

import org.jspecify.annotations.NullMarked;
