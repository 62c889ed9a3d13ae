package io.polytable.hbase.admin;

import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.HBaseTable;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.catalog.SplitPoints;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The calls that split, merge and move regions; a move does nothing, since there is one server. A procedure looks up
 * its regions itself: for a retried call they may be gone, because the first one succeeded.
 */
final class RegionCalls {
    private final Catalog catalog;
    private final TableChanges changes;
    private final Procedures procedures;
    private final Switches switches;

    RegionCalls(Catalog catalog, TableChanges changes, Procedures procedures, Switches switches) {
        this.catalog = catalog;
        this.changes = changes;
        this.procedures = procedures;
        this.switches = switches;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("SplitRegion", MasterProtos.SplitTableRegionRequest.parser(), this::split),
                Method.of("TruncateRegion", MasterProtos.TruncateRegionRequest.parser(), this::truncate),
                Method.of("MergeTableRegions", MasterProtos.MergeTableRegionsRequest.parser(), this::merge),
                Method.of("MoveRegion", MasterProtos.MoveRegionRequest.parser(), (request, call) -> {
                    catalog.region(request.getRegion());
                    return MasterProtos.MoveRegionResponse.getDefaultInstance();
                }),
                Method.of("AssignRegion", MasterProtos.AssignRegionRequest.parser(), (request, call) -> {
                    catalog.region(request.getRegion());
                    return MasterProtos.AssignRegionResponse.getDefaultInstance();
                }),
                Method.of("UnassignRegion", MasterProtos.UnassignRegionRequest.parser(), (request, call) -> {
                    throw new DoNotRetryIOException("Single regions cannot be taken offline; disable the table");
                }),
                Method.of(
                        "getLastMajorCompactionTimestamp",
                        MasterProtos.MajorCompactionTimestampRequest.parser(),
                        (request, call) -> compacted(HBaseTypes.name(request.getTableName()))),
                Method.of(
                        "getLastMajorCompactionTimestampForRegion",
                        MasterProtos.MajorCompactionTimestampForRegionRequest.parser(),
                        (request, call) -> compacted(
                                catalog.region(request.getRegion()).spec().name())),
                Method.of("FlushTable", MasterProtos.FlushTableRequest.parser(), this::flush),
                Method.of("ExecProcedure", MasterProtos.ExecProcedureRequest.parser(), this::exec),
                Method.of(
                        "IsProcedureDone",
                        MasterProtos.IsProcedureDoneRequest.parser(),
                        (request, call) -> MasterProtos.IsProcedureDoneResponse.newBuilder()
                                .setDone(true)
                                .setSnapshot(request.getProcedure())
                                .build()));
    }

    private MasterProtos.SplitTableRegionResponse split(MasterProtos.SplitTableRegionRequest request, Call call)
            throws IOException {
        RegionInfo description = ProtobufUtil.toRegionInfo(request.getRegionInfo());
        requireSplits(description);
        Optional<Bytes> row =
                request.hasSplitRow() ? Optional.of(HBaseTypes.bytes(request.getSplitRow())) : Optional.empty();
        long id = procedures.run(
                ProcedureKind.split(request.getRegionInfo(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> split(region(description), row));
        return MasterProtos.SplitTableRegionResponse.newBuilder().setProcId(id).build();
    }

    private void split(Region region, Optional<Bytes> row) throws IOException {
        Bytes at = row.or(() -> SplitPoints.middle(region))
                .orElseThrow(
                        () -> new DoNotRetryIOException("Region not splittable because bestSplitPoint = null, maybe"
                                + " table is too small for auto split. For force split, try specifying split row"));
        changes.split(region, at);
    }

    private void requireSplits(RegionInfo region) throws IOException {
        String failed = "Split region " + region.getRegionNameAsString() + " failed ";
        if (!switches.isOn(Switches.Name.SPLIT)) {
            throw new DoNotRetryIOException(failed + "due to split switch off");
        }
        if (!table(region).descriptor().isSplitEnabled()) {
            throw new DoNotRetryIOException(failed + "as region split is disabled for the table");
        }
        if (SizeSplits.neverSplits(table(region).descriptor())) {
            throw new DoNotRetryIOException(region.getShortNameToLog() + " NOT splittable");
        }
    }

    private void requireMerges(List<RegionInfo> merged) throws IOException {
        String failed = "Merge of " + RegionInfo.getShortNameToLog(merged) + " failed ";
        if (!switches.isOn(Switches.Name.MERGE)) {
            throw new DoNotRetryIOException(failed + "because merge switch is off");
        }
        if (!merged.isEmpty() && !table(merged.get(0)).descriptor().isMergeEnabled()) {
            throw new DoNotRetryIOException(failed + "as region merge is disabled for the table");
        }
    }

    private HBaseTable table(RegionInfo region) throws IOException {
        return catalog.table(HBaseTypes.name(region.getTable()));
    }

    private Region region(RegionInfo description) throws IOException {
        return catalog.region(RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(UnsafeByteOperations.unsafeWrap(description.getRegionName()))
                .build());
    }

    private MasterProtos.TruncateRegionResponse truncate(MasterProtos.TruncateRegionRequest request, Call call)
            throws IOException {
        RegionInfo region = ProtobufUtil.toRegionInfo(request.getRegionInfo());
        long id = procedures.run(
                ProcedureKind.truncateRegion(request.getRegionInfo(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.truncate(region(region)));
        return MasterProtos.TruncateRegionResponse.newBuilder().setProcId(id).build();
    }

    private MasterProtos.MergeTableRegionsResponse merge(MasterProtos.MergeTableRegionsRequest request, Call call)
            throws IOException {
        List<RegionInfo> merged = new ArrayList<>();
        for (RegionSpecifier specifier : request.getRegionList()) {
            catalog.find(specifier).map(Region::description).ifPresent(merged::add);
        }
        requireMerges(merged);
        long id = procedures.run(
                ProcedureKind.merge(
                        merged.stream().map(ProtobufUtil::toRegionInfo).toList(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.merge(regions(request.getRegionList())));
        return MasterProtos.MergeTableRegionsResponse.newBuilder().setProcId(id).build();
    }

    private List<Region> regions(List<RegionSpecifier> specifiers) throws IOException {
        List<Region> regions = new ArrayList<>();
        for (RegionSpecifier specifier : specifiers) {
            regions.add(catalog.region(specifier));
        }
        return regions;
    }

    private MasterProtos.MajorCompactionTimestampResponse compacted(TableName table) {
        return MasterProtos.MajorCompactionTimestampResponse.newBuilder()
                .setCompactionTimestamp(catalog.majorCompactedMillis(table))
                .build();
    }

    /** Acknowledged writes are durable already, so a flush only checks that the table exists. */
    private MasterProtos.FlushTableResponse flush(MasterProtos.FlushTableRequest request, Call call)
            throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        long id = procedures.run(
                ProcedureKind.flushTable(request.getTableName()),
                request.getNonceGroup(),
                request.getNonce(),
                () -> catalog.table(name));
        return MasterProtos.FlushTableResponse.newBuilder().setProcId(id).build();
    }

    /** Clients before 2.6 flush a table by this call. */
    private MasterProtos.ExecProcedureResponse exec(MasterProtos.ExecProcedureRequest request, Call call)
            throws IOException {
        String signature = request.getProcedure().getSignature();
        if (!signature.equals("flush-table-proc")) {
            throw new DoNotRetryIOException("The procedure " + signature + " is not supported");
        }
        catalog.table(HBaseTypes.name(
                org.apache.hadoop.hbase.TableName.valueOf(request.getProcedure().getInstance())));
        return MasterProtos.ExecProcedureResponse.newBuilder()
                .setExpectedTimeout(0)
                .build();
    }
}
