/**
 * Entities on a running server: {@link io.polytable.entity.remote.RemoteProvider} opens {@code polytable://host:port/instance}.
 * Calls are messages of {@link io.polytable.entity.wire} over HTTP; {@link io.polytable.entity.remote.ServerConnection} sends
 * them and sees that each ends in time. Single writes that are made at the same time travel together ({@link
 * io.polytable.entity.remote.WriteBatcher}), scans are fetched in pages, one ahead ({@link
 * io.polytable.entity.remote.RemoteCursor}).
 *
 * <p>Any number of programs can use a server. Each call names the layout it was made under, and the server refuses it when
 * that was replaced, so a change of a layout waits for nobody and nothing is written under a withdrawn one.
 */
@NullMarked
package io.polytable.entity.remote;

import org.jspecify.annotations.NullMarked;
