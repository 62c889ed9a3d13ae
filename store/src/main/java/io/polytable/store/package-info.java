/** The engine behind the contract. */
@NullMarked
package io.polytable.store;

import org.jspecify.annotations.NullMarked;
