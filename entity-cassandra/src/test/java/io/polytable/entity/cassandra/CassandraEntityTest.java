package io.polytable.entity.cassandra;

import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.uri.EntityUri;

/** The suite on a real node. */
class CassandraEntityTest extends EntityContract {
    /** A node that an earlier run left may have its instance still. */
    private static final String INSTANCE = "Contract_" + ProcessHandle.current().pid();

    @Override
    protected EntityUri uri() {
        return CassandraNode.instance(INSTANCE);
    }
}
