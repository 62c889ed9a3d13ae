package io.polytable.entity.hbase;

import io.polytable.entity.contract.UnreachableContract;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import java.util.List;

/** ZooKeepers that are unreachable, or never answer. */
class HBaseUnreachableTest extends UnreachableContract {
    @Override
    protected EntityUri at(int port) {
        return EntityUri.remote(StoreKind.HBASE, List.of("127.0.0.1"), port).withOption("timeout.millis", "1000");
    }
}
