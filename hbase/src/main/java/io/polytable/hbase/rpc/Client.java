package io.polytable.hbase.rpc;

/**
 * A client, as its connection header describes it.
 *
 * @param user the client's claimed user name; SIMPLE authentication proves nothing
 * @param takesCellBlocks whether results are sent as cell blocks behind the message, rather than inside it
 * @param version the version of the client's library, empty if unknown
 */
public record Client(String user, boolean takesCellBlocks, String version) {}
