/**
 * Entities on a running server: {@link io.polytable.entity.remote.RemoteProvider} opens {@code polytable://host:port/instance}.
 * Calls are messages of {@link io.polytable.entity.wire} over HTTP; {@link io.polytable.entity.remote.ServerConnection} sends
 * them and enforces their time-outs. Concurrent single writes are batched ({@link
 * io.polytable.entity.remote.WriteBatcher}); scans are fetched in pages, with one page of read-ahead ({@link
 * io.polytable.entity.remote.RemoteCursor}).
 *
 * <p>Any number of programs can use a server. Each call names its layout, and the server refuses it if
 * that was replaced (fencing). So a layout change waits for no client, and nothing is written under a replaced layout.
 */
@NullMarked
package io.polytable.entity.remote;

import org.jspecify.annotations.NullMarked;
