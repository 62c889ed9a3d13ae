/**
 * HBase's {@code ClientService}: reads and changes of single rows, many actions in one call, and scans. A scanner ({@link
 * io.polytable.hbase.client.OpenScanner}) holds a snapshot of the store, so their number is bounded and each has a lease.
 */
@NullMarked
package io.polytable.hbase.client;

import org.jspecify.annotations.NullMarked;
