package io.polytable.hbase.rpc;

/**
 * Who calls: what the connection's header said.
 *
 * @param user the name the client gave itself; SIMPLE authentication proves nothing
 * @param takesCellBlocks whether results travel as cell blocks behind the message, or inside of it
 * @param version of the client's library, empty when it did not say
 */
public record Client(String user, boolean takesCellBlocks, String version) {}
