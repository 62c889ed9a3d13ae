package io.polytable.hbase.wire;

import io.polytable.frontend.limit.Budget;
import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import java.util.concurrent.Executor;

/** The state shared by all connections. */
record WireContext(WireOptions options, Services services, Executor workers, CallListener tally) {
    /** The budget for requests. */
    Budget memory() {
        return options.requests();
    }

    /** The budget for unsent responses. */
    Budget answers() {
        return options.responses();
    }
}
