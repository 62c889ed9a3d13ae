/** The repository as text: its files, and the outline of a Java file, as far as the rules of style need it. */
@NullMarked
package io.polytable.conformance.source;

import org.jspecify.annotations.NullMarked;
