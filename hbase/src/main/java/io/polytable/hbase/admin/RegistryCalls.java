package io.polytable.hbase.admin;

import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsResponse;

/** HBase's {@code ClientMetaService}: discovery for clients that do not use ZooKeeper. */
public final class RegistryCalls {
    private RegistryCalls() {}

    public static RpcService service(ServerAddress address, String clusterId) {
        HBaseProtos.ServerName master = ProtobufUtil.toServerName(address.master());
        HBaseProtos.ServerName server = ProtobufUtil.toServerName(address.regionServer());
        HBaseProtos.RegionLocation meta = HBaseProtos.RegionLocation.newBuilder()
                .setRegionInfo(ProtobufUtil.toRegionInfo(RegionInfoBuilder.FIRST_META_REGIONINFO))
                .setServerName(server)
                .setSeqNum(1)
                .build();
        List<Method<?>> methods = List.of(
                Method.of(
                        "GetClusterId",
                        GetClusterIdRequest.parser(),
                        (request, call) -> GetClusterIdResponse.newBuilder()
                                .setClusterId(clusterId)
                                .build()),
                Method.of(
                        "GetActiveMaster",
                        GetActiveMasterRequest.parser(),
                        (request, call) -> GetActiveMasterResponse.newBuilder()
                                .setServerName(master)
                                .build()),
                masters(master),
                Method.of(
                        "GetMetaRegionLocations",
                        GetMetaRegionLocationsRequest.parser(),
                        (request, call) -> GetMetaRegionLocationsResponse.newBuilder()
                                .addMetaLocations(meta)
                                .build()),
                Method.of(
                        "GetBootstrapNodes",
                        GetBootstrapNodesRequest.parser(),
                        (request, call) -> GetBootstrapNodesResponse.newBuilder()
                                .addServerName(server)
                                .build()));
        return new RpcService("ClientMetaService", List.of(methods));
    }

    /** Used by clients before 2.5. */
    @SuppressWarnings("deprecation")
    private static Method<?> masters(HBaseProtos.ServerName master) {
        RegistryProtos.GetMastersResponse answer = RegistryProtos.GetMastersResponse.newBuilder()
                .addMasterServers(RegistryProtos.GetMastersResponseEntry.newBuilder()
                        .setServerName(master)
                        .setIsActive(true))
                .build();
        return Method.of("GetMasters", RegistryProtos.GetMastersRequest.parser(), (request, call) -> answer);
    }
}
