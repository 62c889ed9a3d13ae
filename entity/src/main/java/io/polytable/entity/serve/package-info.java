/**
 * The server side of remote stores: {@link io.polytable.entity.serve.StoreService} answers the calls of
 * {@link io.polytable.entity.wire}. Each call names its layout and is refused if that is no longer current. The server handles
 * transport and access.
 */
@NullMarked
package io.polytable.entity.serve;

import org.jspecify.annotations.NullMarked;
