/**
 * What every store must do: {@link io.polytable.entity.contract.EntityContract}, a suite over the public API alone. A store's
 * module extends it and says where its store is.
 */
@NullMarked
package io.polytable.entity.contract;

import org.jspecify.annotations.NullMarked;
