/**
 * A store as a server offers it to programs elsewhere: {@link io.polytable.entity.serve.StoreService} answers the calls of
 * {@link io.polytable.entity.wire}, each under the layout it names, and refuses it when that is no longer the current one. How
 * calls come in, and who may make them, is the server's business.
 */
@NullMarked
package io.polytable.entity.serve;

import org.jspecify.annotations.NullMarked;
