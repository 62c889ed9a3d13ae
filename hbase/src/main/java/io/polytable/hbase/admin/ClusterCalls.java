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
    private final boolean authorizes;

    /** @param authorizes whether users have permissions of their own */
    ClusterCalls(ClusterMetrics metrics, boolean authorizes) {
        this.metrics = metrics;
        this.authorizes = authorizes;
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
                        (request, call) -> capabilities()),
                Method.of("GetClusterStatus", GetClusterStatusRequest.parser(), this::status));
    }

    private SecurityCapabilitiesResponse capabilities() {
        SecurityCapabilitiesResponse.Builder response = SecurityCapabilitiesResponse.newBuilder()
                .addCapabilities(SecurityCapabilitiesResponse.Capability.SIMPLE_AUTHENTICATION);
        if (authorizes) {
            response.addCapabilities(SecurityCapabilitiesResponse.Capability.AUTHORIZATION);
        }
        return response.build();
    }

    private GetClusterStatusResponse status(GetClusterStatusRequest request, Call call) {
        return GetClusterStatusResponse.newBuilder()
                .setClusterStatus(metrics.status())
                .build();
    }
}
