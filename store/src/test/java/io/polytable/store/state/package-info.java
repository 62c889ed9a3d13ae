/** Tests of the state's parts. */
@NullMarked
package io.polytable.store.state;

import org.jspecify.annotations.NullMarked;
