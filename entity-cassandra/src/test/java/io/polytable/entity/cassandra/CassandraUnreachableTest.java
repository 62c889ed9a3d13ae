package io.polytable.entity.cassandra;

import io.polytable.entity.contract.UnreachableContract;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import java.util.List;

/** Nodes that are unreachable, or never answer. */
class CassandraUnreachableTest extends UnreachableContract {
    @Override
    protected EntityUri at(int port) {
        return EntityUri.remote(StoreKind.CASSANDRA, List.of("127.0.0.1"), port).withOption("timeout.millis", "1000");
    }
}
