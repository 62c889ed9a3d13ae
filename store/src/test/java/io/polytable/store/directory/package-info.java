/** Tests of the data directory. */
@NullMarked
package io.polytable.store.directory;

import org.jspecify.annotations.NullMarked;
