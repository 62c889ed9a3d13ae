package io.polytable.hbase.rpc;

import org.apache.hadoop.hbase.CellScanner;

/**
 * One call beside its request.
 *
 * @param cells the cells of all mutations of the request, in their order; empty when they are in the request itself
 * @param timeoutMillis how long the client waits, 0 when it did not say
 */
public record Call(Client client, CellScanner cells, int timeoutMillis) {}
