/** The files in {@code packaging}, checked as far as a machine without a cluster can. */
@NullMarked
package io.polytable.conformance.packaging;

import org.jspecify.annotations.NullMarked;
