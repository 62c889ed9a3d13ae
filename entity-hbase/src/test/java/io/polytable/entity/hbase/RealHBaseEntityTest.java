package io.polytable.entity.hbase;

import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.hbase.peer.HBaseNode;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Tag;

/** The suite on a real HBase. */
@Tag("peers")
class RealHBaseEntityTest extends EntityContract {
    /** A node that runs already may have what an earlier run left. */
    private static final String INSTANCE = "Contract_" + ProcessHandle.current().pid();

    @Override
    protected EntityUri uri() {
        int port = HBaseNode.shared().getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
        return EntityUri.remote(StoreKind.HBASE, List.of("localhost"), port)
                .withInstance(INSTANCE)
                .withOption("layout.lease.millis", "300");
    }
}
