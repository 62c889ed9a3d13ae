/**
 * The messages between a program and a server that holds its entities, see docs/formats/entity-wire.md: a call is a {@link
 * io.polytable.entity.wire.StoreCall} and its words, an answer a {@link io.polytable.entity.wire.CallAnswer}. What they are
 * made of has a codec each: {@link io.polytable.entity.wire.QueryCodec}, {@link io.polytable.entity.wire.ChangeCodec}, {@link
 * io.polytable.entity.wire.RowCodec}. Nothing here knows how messages travel.
 */
@NullMarked
package io.polytable.entity.wire;

import org.jspecify.annotations.NullMarked;
