package io.polytable.hbase.admin;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.table.TableName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionStatesCount;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.TableRegionStatesCount;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** The cluster's status and load in HBase's terms: one server, its regions, and their requests. */
final class ClusterMetrics {
    private final Catalog catalog;
    private final ServedRegions regions;
    private final ServerAddress address;
    private final String clusterId;
    private final Switches switches;
    private final InstantSource clock;
    private long lastMillis;
    private long lastRequests;

    ClusterMetrics(
            Catalog catalog, ServedRegions regions, ServerAddress address, Switches switches, InstantSource clock) {
        this.catalog = catalog;
        this.regions = regions;
        this.address = address;
        this.switches = switches;
        this.clock = clock;
        clusterId = catalog.clusterId();
        lastMillis = clock.millis();
    }

    ClusterStatus status() {
        ClusterStatus.Builder status = ClusterStatus.newBuilder()
                .setHbaseVersion(FSProtos.HBaseVersionFileContent.newBuilder().setVersion(VersionInfo.getVersion()))
                .setClusterId(ClusterIdProtos.ClusterId.newBuilder().setClusterId(clusterId))
                .setMaster(ProtobufUtil.toServerName(address.master()))
                .setMasterInfoPort(-1)
                .setBalancerOn(switches.isOn(Switches.Name.BALANCER))
                .addServersName(ProtobufUtil.toServerName(address.regionServer()))
                .addLiveServers(LiveServerInfo.newBuilder()
                        .setServer(ProtobufUtil.toServerName(address.regionServer()))
                        .setServerLoad(serverLoad()));
        for (HBaseTable table : catalog.tables().all()) {
            int count = table.regions().size();
            status.addTableRegionStatesCount(TableRegionStatesCount.newBuilder()
                    .setTableName(ProtobufUtil.toProtoTableName(table.hbaseName()))
                    .setRegionStatesCount(RegionStatesCount.newBuilder()
                            .setOpenRegions(table.enabled() ? count : 0)
                            .setSplitRegions(0)
                            .setClosedRegions(table.enabled() ? 0 : count)
                            .setRegionsInTransition(0)
                            .setTotalRegions(count)));
        }
        return status.build();
    }

    private synchronized ServerLoad serverLoad() {
        Runtime runtime = Runtime.getRuntime();
        List<RegionLoad> loads = loads(Optional.empty());
        long requests = 0;
        for (RegionLoad load : loads) {
            requests += load.getReadRequestsCount() + load.getWriteRequestsCount();
        }
        long now = clock.millis();
        long seconds = Math.max(1, (now - lastMillis) / 1000);
        long rate = Math.max(0, requests - lastRequests) / seconds;
        ServerLoad load = ServerLoad.newBuilder()
                .setNumberOfRequests(rate)
                .setTotalNumberOfRequests(requests)
                .setUsedHeapMB((int) ((runtime.totalMemory() - runtime.freeMemory()) >> 20))
                .setMaxHeapMB((int) (MemoryPlan.heapBytes() >> 20))
                .setReportStartTime(lastMillis)
                .setReportEndTime(now)
                .setInfoServerPort(0)
                .addAllRegionLoads(loads)
                .build();
        lastMillis = now;
        lastRequests = requests;
        return load;
    }

    /** The load of one table's regions, or of all served regions. */
    List<RegionLoad> loads(Optional<TableName> only) {
        List<RegionLoad> loads = new ArrayList<>();
        for (Region region : served(only)) {
            loads.add(load(region));
        }
        return loads;
    }

    /** The regions of enabled tables, and those of the server's own tables. */
    List<Region> served(Optional<TableName> only) {
        List<Region> served = new ArrayList<>();
        for (Region view : regions.views()) {
            if (only.isEmpty() || only.get().equals(view.spec().name())) {
                served.add(view);
            }
        }
        for (HBaseTable table : catalog.tables().all()) {
            if (table.enabled() && (only.isEmpty() || only.get().equals(table.name()))) {
                served.addAll(table.regions());
            }
        }
        return served;
    }

    private RegionLoad load(Region region) {
        RegionInfo description = region.description();
        return RegionLoad.newBuilder()
                .setRegionSpecifier(RegionSpecifier.newBuilder()
                        .setType(RegionSpecifierType.REGION_NAME)
                        .setValue(UnsafeByteOperations.unsafeWrap(description.getRegionName())))
                .setStores(region.spec().families().size())
                .setReadRequestsCount(region.readRequests())
                .setWriteRequestsCount(region.writeRequests())
                .setLastMajorCompactionTs(
                        catalog.majorCompactedMillis(region.spec().name()))
                .setStorefileSizeMB((int) Math.min(Integer.MAX_VALUE, region.estimatedBytes() >> 20))
                .build();
    }
}
