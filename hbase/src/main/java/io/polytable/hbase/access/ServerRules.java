package io.polytable.hbase.access;

import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.RpcService;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/** What the calls of HBase's {@code AdminService}, which go to a region server, need. */
public final class ServerRules {
    private final Access access;
    private final ServedRegions regions;

    private ServerRules(Access access, ServedRegions regions) {
        this.access = access;
        this.regions = regions;
    }

    public static RpcService guard(RpcService server, Access access, ServedRegions regions) {
        return new ServerRules(access, regions).rules().guard(server);
    }

    private Rules rules() {
        return new Rules(access)
                .free("GetServerInfo")
                .needs(
                        "GetRegionInfo",
                        AdminProtos.GetRegionInfoRequest.class,
                        (request, client) -> require(client, request.getRegion(), List.of(Action.values())))
                .needs(
                        "FlushRegion",
                        AdminProtos.FlushRegionRequest.class,
                        (request, client) -> require(client, request.getRegion(), Rules.ADMIN_OR_CREATE))
                .needs(
                        "CompactRegion",
                        AdminProtos.CompactRegionRequest.class,
                        (request, client) -> require(client, request.getRegion(), Rules.ADMIN_OR_CREATE))
                .needs(
                        "GetStoreFile",
                        AdminProtos.GetStoreFileRequest.class,
                        (request, client) -> require(client, request.getRegion(), Rules.ADMIN))
                .shows(
                        "GetOnlineRegion",
                        AdminProtos.GetOnlineRegionResponse.class,
                        (answer, client) -> AdminProtos.GetOnlineRegionResponse.newBuilder()
                                .addAllRegionInfo(answer.getRegionInfoList().stream()
                                        .filter(region -> access.sees(client, HBaseTypes.name(region.getTableName())))
                                        .toList())
                                .build())
                .shows(
                        "GetRegionLoad",
                        AdminProtos.GetRegionLoadResponse.class,
                        (answer, client) -> AdminProtos.GetRegionLoadResponse.newBuilder()
                                .addAllRegionLoads(shown(access, answer.getRegionLoadsList(), client))
                                .build());
    }

    private void require(Client client, RegionSpecifier specifier, List<Action> actions) throws IOException {
        TableName table = HBaseTypes.name(
                access.region(regions, specifier, client).region().description().getTable());
        if (!Access.isForEveryone(table) || !actions.contains(Action.READ)) {
            access.requireAny(client, table, actions);
        }
    }

    /** The loads of regions that the client may see. */
    static List<RegionLoad> shown(Access access, List<RegionLoad> loads, Client client) {
        return loads.stream()
                .filter(load -> access.sees(
                        client,
                        HBaseTypes.name(RegionInfo.getTable(
                                load.getRegionSpecifier().getValue().toByteArray()))))
                .toList();
    }
}
