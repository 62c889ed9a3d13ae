package io.polytable.hbase.client;

import io.polytable.hbase.access.Access;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;

/** HBase's {@code ClientService}: the calls that read and write cells. */
public final class ClientService {
    private ClientService() {}

    public static RpcService of(ServedRegions regions, Access access, Scanners scanners, ClientLimits limits) {
        return new RpcService(
                "ClientService",
                List.of(
                        new PointCalls(regions, access).methods(),
                        new MultiCalls(regions, access, limits).methods(),
                        new ScanCalls(regions, access, scanners, limits).methods(),
                        refused()));
    }

    private static List<Method<?>> refused() {
        String coprocessors = "Coprocessors are not supported";
        String files = "Bulk load of HFiles is not supported; write through the client, or use Import";
        return List.of(
                refused("ExecService", ClientProtos.CoprocessorServiceRequest.parser(), coprocessors),
                refused("ExecRegionServerService", ClientProtos.CoprocessorServiceRequest.parser(), coprocessors),
                refused("BulkLoadHFile", ClientProtos.BulkLoadHFileRequest.parser(), files),
                refused("PrepareBulkLoad", ClientProtos.PrepareBulkLoadRequest.parser(), files),
                refused("CleanupBulkLoad", ClientProtos.CleanupBulkLoadRequest.parser(), files));
    }

    private static <Q extends Message> Method<Q> refused(String name, Parser<Q> parser, String reason) {
        return Method.of(name, parser, (request, call) -> {
            throw new DoNotRetryIOException(reason);
        });
    }
}
