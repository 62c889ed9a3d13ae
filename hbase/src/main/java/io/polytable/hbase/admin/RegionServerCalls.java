package io.polytable.hbase.admin;

import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.SplitPoints;
import io.polytable.hbase.convert.Descriptors;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.TableName;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** HBase's {@code AdminService}: the calls on a region server and its regions, which MapReduce jobs use too. */
final class RegionServerCalls {
    private final ServedRegions regions;
    private final ClusterMetrics metrics;
    private final Compactions compactions;
    private final Switches switches;
    private final ServerAddress address;
    private final InstantSource clock;

    RegionServerCalls(
            ServedRegions regions,
            ClusterMetrics metrics,
            Compactions compactions,
            Switches switches,
            ServerAddress address,
            InstantSource clock) {
        this.regions = regions;
        this.metrics = metrics;
        this.compactions = compactions;
        this.switches = switches;
        this.address = address;
        this.clock = clock;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("GetRegionInfo", AdminProtos.GetRegionInfoRequest.parser(), this::region),
                Method.of("GetOnlineRegion", AdminProtos.GetOnlineRegionRequest.parser(), this::online),
                Method.of("GetRegionLoad", AdminProtos.GetRegionLoadRequest.parser(), this::loads),
                Method.of("GetServerInfo", AdminProtos.GetServerInfoRequest.parser(), this::server),
                Method.of("FlushRegion", AdminProtos.FlushRegionRequest.parser(), this::flush),
                Method.of("CompactRegion", AdminProtos.CompactRegionRequest.parser(), this::compact),
                Method.of("CompactionSwitch", AdminProtos.CompactionSwitchRequest.parser(), this::compactionSwitch),
                LogCalls.ofRegionServer(),
                Method.of("GetStoreFile", AdminProtos.GetStoreFileRequest.parser(), this::storeFiles),
                Method.of(
                        "RollWALWriter",
                        AdminProtos.RollWALWriterRequest.parser(),
                        (request, call) -> AdminProtos.RollWALWriterResponse.getDefaultInstance()),
                Method.of(
                        "UpdateConfiguration",
                        AdminProtos.UpdateConfigurationRequest.parser(),
                        (request, call) -> AdminProtos.UpdateConfigurationResponse.getDefaultInstance()),
                Method.of(
                        "ClearCompactionQueues",
                        AdminProtos.ClearCompactionQueuesRequest.parser(),
                        (request, call) -> AdminProtos.ClearCompactionQueuesResponse.getDefaultInstance()),
                Method.of(
                        "ClearRegionBlockCache",
                        AdminProtos.ClearRegionBlockCacheRequest.parser(),
                        (request, call) -> AdminProtos.ClearRegionBlockCacheResponse.newBuilder()
                                .setStats(HBaseProtos.CacheEvictionStats.getDefaultInstance())
                                .build()),
                AbsentFeatureCalls.refused(
                        "StopServer",
                        AdminProtos.StopServerRequest.parser(),
                        "HBase clients do not stop this server; stop its process"));
    }

    private Message region(AdminProtos.GetRegionInfoRequest request, Call call) throws IOException {
        Region region = regions.region(request.getRegion());
        GetRegionInfoResponse.Builder response = GetRegionInfoResponse.newBuilder()
                .setRegionInfo(ProtobufUtil.toRegionInfo(region.description()))
                .setSplittable(!SizeSplits.neverSplits(Descriptors.descriptor(region.spec())))
                .setMergeable(true);
        if (request.getCompactionState()) {
            boolean compacting = compactions.isPending(region.spec().name());
            response.setCompactionState(
                    compacting
                            ? GetRegionInfoResponse.CompactionState.MAJOR
                            : GetRegionInfoResponse.CompactionState.NONE);
        }
        if (request.getBestSplitRow()) {
            SplitPoints.middle(region)
                    .ifPresent(row -> response.setBestSplitRow(UnsafeByteOperations.unsafeWrap(row.toByteArray())));
        }
        return response.build();
    }

    private Message online(AdminProtos.GetOnlineRegionRequest request, Call call) {
        AdminProtos.GetOnlineRegionResponse.Builder response = AdminProtos.GetOnlineRegionResponse.newBuilder();
        metrics.served(Optional.empty())
                .forEach(region -> response.addRegionInfo(ProtobufUtil.toRegionInfo(region.description())));
        return response.build();
    }

    private Message loads(AdminProtos.GetRegionLoadRequest request, Call call) {
        Optional<TableName> only =
                request.hasTableName() ? Optional.of(HBaseTypes.name(request.getTableName())) : Optional.empty();
        return AdminProtos.GetRegionLoadResponse.newBuilder()
                .addAllRegionLoads(metrics.loads(only))
                .build();
    }

    private Message server(AdminProtos.GetServerInfoRequest request, Call call) {
        return AdminProtos.GetServerInfoResponse.newBuilder()
                .setServerInfo(AdminProtos.ServerInfo.newBuilder()
                        .setServerName(ProtobufUtil.toServerName(address.regionServer()))
                        .setWebuiPort(0))
                .build();
    }

    /** Acknowledged writes are durable already, so there is nothing to do. */
    private Message flush(AdminProtos.FlushRegionRequest request, Call call) throws IOException {
        regions.region(request.getRegion());
        return AdminProtos.FlushRegionResponse.newBuilder()
                .setLastFlushTime(clock.millis())
                .setFlushed(true)
                .build();
    }

    /**
     * Runs in the background, as in HBase; a major compaction removes delete markers too. Tables are compacted as a
     * whole.
     */
    private Message compact(AdminProtos.CompactRegionRequest request, Call call) throws IOException {
        Region region = regions.region(request.getRegion());
        compactions.request(region.spec().name(), request.getMajor());
        return AdminProtos.CompactRegionResponse.getDefaultInstance();
    }

    private Message compactionSwitch(AdminProtos.CompactionSwitchRequest request, Call call) {
        return AdminProtos.CompactionSwitchResponse.newBuilder()
                .setPrevState(switches.set(Switches.Name.COMPACTION, request.getEnabled()))
                .build();
    }

    private Message storeFiles(AdminProtos.GetStoreFileRequest request, Call call) throws IOException {
        regions.region(request.getRegion());
        return AdminProtos.GetStoreFileResponse.getDefaultInstance();
    }
}
