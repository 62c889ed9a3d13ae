package io.polytable.hbase.admin;

import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsInMaintenanceModeRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsInMaintenanceModeResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesResponse;

/** The calls about the cluster as a whole. */
final class ClusterCalls {
    private final ClusterMetrics metrics;

    ClusterCalls(ClusterMetrics metrics) {
        this.metrics = metrics;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of(
                        "IsMasterRunning",
                        IsMasterRunningRequest.parser(),
                        (request, call) -> IsMasterRunningResponse.newBuilder()
                                .setIsMasterRunning(true)
                                .build()),
                Method.of(
                        "IsMasterInMaintenanceMode",
                        IsInMaintenanceModeRequest.parser(),
                        (request, call) -> IsInMaintenanceModeResponse.newBuilder()
                                .setInMaintenanceMode(false)
                                .build()),
                Method.of(
                        "getSecurityCapabilities",
                        SecurityCapabilitiesRequest.parser(),
                        (request, call) -> SecurityCapabilitiesResponse.newBuilder()
                                .addCapabilities(SecurityCapabilitiesResponse.Capability.SIMPLE_AUTHENTICATION)
                                .build()),
                Method.of("GetClusterStatus", GetClusterStatusRequest.parser(), this::status));
    }

    private GetClusterStatusResponse status(GetClusterStatusRequest request, Call call) {
        return GetClusterStatusResponse.newBuilder()
                .setClusterStatus(metrics.status())
                .build();
    }
}
