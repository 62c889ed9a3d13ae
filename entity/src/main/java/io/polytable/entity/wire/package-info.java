/**
 * The messages between a program and a server that holds its entities, see docs/formats/entity-wire.md: a call is a {@link
 * io.polytable.entity.wire.StoreCall} and its arguments, an answer a {@link io.polytable.entity.wire.CallAnswer}. Their parts
 * have codecs: {@link io.polytable.entity.wire.QueryCodec}, {@link io.polytable.entity.wire.ChangeCodec}, {@link
 * io.polytable.entity.wire.RowCodec}. This package is independent of the transport.
 */
@NullMarked
package io.polytable.entity.wire;

import org.jspecify.annotations.NullMarked;
