/** Tests of the store as its users open and copy it. */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;
