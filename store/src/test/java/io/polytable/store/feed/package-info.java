/** Tests of the change feed's parts. */
@NullMarked
package io.polytable.store.feed;

import org.jspecify.annotations.NullMarked;
