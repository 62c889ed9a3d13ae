package io.polytable.hbase.admin;

import io.polytable.hbase.rpc.Method;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** The calls for HBase's in-memory logs. They are empty: slow calls are in the server's metrics, and nothing is balanced. */
final class LogCalls {
    /** A log's request message and its empty response. */
    private static final Map<String, Message> MASTER = Map.of(
            MasterProtos.BalancerDecisionsRequest.class.getName(),
            MasterProtos.BalancerDecisionsResponse.getDefaultInstance(),
            MasterProtos.BalancerRejectionsRequest.class.getName(),
            MasterProtos.BalancerRejectionsResponse.getDefaultInstance());

    private static final Map<String, Message> REGION_SERVER = Map.of(
            AdminProtos.SlowLogResponseRequest.class.getName(), AdminProtos.SlowLogResponses.getDefaultInstance());

    private LogCalls() {}

    static Method<?> ofMaster() {
        return entries(MASTER);
    }

    static Method<?> ofRegionServer() {
        return entries(REGION_SERVER);
    }

    private static Method<?> entries(Map<String, Message> logs) {
        return Method.of("GetLogEntries", HBaseProtos.LogRequest.parser(), (request, call) -> {
            Message empty = logs.get(request.getLogClassName());
            if (empty == null) {
                throw new DoNotRetryIOException("Invalid request params: " + request.getLogClassName());
            }
            return HBaseProtos.LogEntry.newBuilder()
                    .setLogClassName(empty.getClass().getName())
                    .setLogMessage(empty.toByteString())
                    .build();
        });
    }
}
