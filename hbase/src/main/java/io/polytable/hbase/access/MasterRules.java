package io.polytable.hbase.access;

import io.polytable.frontend.user.Scope;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.RpcService;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** What the calls of HBase's {@code MasterService} need. */
public final class MasterRules {
    private final Access access;
    private final Catalog catalog;
    private final Function<String, Optional<TableName>> snapshotTable;
    private final Rules rules;

    private MasterRules(Access access, Catalog catalog, Function<String, Optional<TableName>> snapshotTable) {
        this.access = access;
        this.catalog = catalog;
        this.snapshotTable = snapshotTable;
        rules = new Rules(access);
        addFree();
        addTables();
        addTableCalls();
        addRegions();
        addSnapshots();
        addNamespaces();
        addListings();
    }

    /**
     * Returns the master's service with a rule for each call.
     *
     * @param snapshotTable the table of a snapshot, empty if there is no such snapshot
     */
    public static RpcService guard(
            RpcService master, Access access, Catalog catalog, Function<String, Optional<TableName>> snapshotTable) {
        return new MasterRules(access, catalog, snapshotTable).rules.guard(master);
    }

    /** Questions about the cluster that name no table, and the calls on permissions, which decide for themselves. */
    private void addFree() {
        rules.free(
                "IsMasterRunning",
                "IsMasterInMaintenanceMode",
                "getSecurityCapabilities",
                "getProcedureResult",
                "IsProcedureDone",
                "IsBalancerEnabled",
                "IsNormalizerEnabled",
                "IsSplitOrMergeEnabled",
                "IsCatalogJanitorEnabled",
                "IsCleanerChoreEnabled",
                "IsSnapshotCleanupEnabled",
                "ListDecommissionedRegionServers",
                "Grant",
                "Revoke",
                "GetUserPermissions",
                "HasUserPermissions");
    }

    private void addTables() {
        rules.needs("CreateTable", MasterProtos.CreateTableRequest.class, (request, client) -> {
                    HBaseProtos.TableName table = request.getTableSchema().getTableName();
                    requireNew(client, HBaseTypes.name(table));
                })
                .table(
                        "ModifyTable",
                        MasterProtos.ModifyTableRequest.class,
                        request -> request.getTableSchema().getTableName(),
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "AddColumn",
                        MasterProtos.AddColumnRequest.class,
                        MasterProtos.AddColumnRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "ModifyColumn",
                        MasterProtos.ModifyColumnRequest.class,
                        MasterProtos.ModifyColumnRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "DeleteColumn",
                        MasterProtos.DeleteColumnRequest.class,
                        MasterProtos.DeleteColumnRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "EnableTable",
                        MasterProtos.EnableTableRequest.class,
                        MasterProtos.EnableTableRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "DisableTable",
                        MasterProtos.DisableTableRequest.class,
                        MasterProtos.DisableTableRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "DeleteTable",
                        MasterProtos.DeleteTableRequest.class,
                        MasterProtos.DeleteTableRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "truncateTable",
                        MasterProtos.TruncateTableRequest.class,
                        MasterProtos.TruncateTableRequest::getTableName,
                        Rules.ADMIN_OR_CREATE)
                .table(
                        "FlushTable",
                        MasterProtos.FlushTableRequest.class,
                        MasterProtos.FlushTableRequest::getTableName,
                        Rules.ADMIN_OR_CREATE);
    }

    private void addTableCalls() {
        rules.needs("ExecProcedure", MasterProtos.ExecProcedureRequest.class, (request, client) -> {
                    // A flush of a table, by clients before 2.6.
                    HBaseProtos.ProcedureDescription asked = request.getProcedure();
                    boolean flushes = asked.getSignature().equals("flush-table-proc");
                    access.requireAny(
                            client, table(asked.getInstance()), flushes ? Rules.ADMIN_OR_CREATE : Rules.ADMIN);
                })
                .needs(
                        "GetTableState",
                        MasterProtos.GetTableStateRequest.class,
                        (request, client) -> access.requireSeen(client, HBaseTypes.name(request.getTableName())))
                .needs(
                        "GetSchemaAlterStatus",
                        MasterProtos.GetSchemaAlterStatusRequest.class,
                        (request, client) -> access.requireSeen(client, HBaseTypes.name(request.getTableName())))
                .needs(
                        "getLastMajorCompactionTimestamp",
                        MasterProtos.MajorCompactionTimestampRequest.class,
                        (request, client) -> access.requireSeen(client, HBaseTypes.name(request.getTableName())));
    }

    private void requireNew(Client client, TableName table) throws IOException {
        access.requireNamespace(
                client,
                table.namespace(),
                ",table=" + HBaseTypes.hbaseName(table).getNameWithNamespaceInclAsString(),
                Rules.ADMIN_OR_CREATE);
    }

    private void addRegions() {
        rules.table(
                        "SplitRegion",
                        MasterProtos.SplitTableRegionRequest.class,
                        request -> request.getRegionInfo().getTableName(),
                        Rules.ADMIN)
                .table(
                        "TruncateRegion",
                        MasterProtos.TruncateRegionRequest.class,
                        request -> request.getRegionInfo().getTableName(),
                        Rules.ADMIN_OR_CREATE)
                .needs("MergeTableRegions", MasterProtos.MergeTableRegionsRequest.class, (request, client) -> {
                    for (RegionSpecifier region : request.getRegionList()) {
                        requireRegion(client, region, Rules.ADMIN);
                    }
                })
                .needs(
                        "MoveRegion",
                        MasterProtos.MoveRegionRequest.class,
                        (request, client) -> requireRegion(client, request.getRegion(), Rules.ADMIN))
                .needs(
                        "AssignRegion",
                        MasterProtos.AssignRegionRequest.class,
                        (request, client) -> requireRegion(client, request.getRegion(), Rules.ADMIN))
                .needs(
                        "UnassignRegion",
                        MasterProtos.UnassignRegionRequest.class,
                        (request, client) -> requireRegion(client, request.getRegion(), Rules.ADMIN))
                .needs(
                        "getLastMajorCompactionTimestampForRegion",
                        MasterProtos.MajorCompactionTimestampForRegionRequest.class,
                        (request, client) -> requireRegion(client, request.getRegion(), List.of(Action.values())));
    }

    /** Who may not see an unknown region's table must not learn that the region is unknown. */
    private void requireRegion(Client client, RegionSpecifier specifier, List<Action> actions) throws IOException {
        Optional<Region> region = catalog.find(specifier);
        if (region.isPresent()) {
            access.requireAny(client, HBaseTypes.name(region.get().description().getTable()), actions);
        } else {
            access.requireGlobal(client, Action.ADMIN);
        }
    }

    /** A snapshot belongs to whoever administers its table. */
    private void addSnapshots() {
        rules.needs(
                        "Snapshot",
                        MasterProtos.SnapshotRequest.class,
                        (request, client) -> access.requireAny(client, table(request.getSnapshot()), Rules.ADMIN))
                .needs(
                        "IsSnapshotDone",
                        MasterProtos.IsSnapshotDoneRequest.class,
                        (request, client) -> requireSnapshot(client, request.getSnapshot()))
                .needs(
                        "DeleteSnapshot",
                        MasterProtos.DeleteSnapshotRequest.class,
                        (request, client) -> requireSnapshot(client, request.getSnapshot()))
                .needs("RestoreSnapshot", MasterProtos.RestoreSnapshotRequest.class, (request, client) -> {
                    requireSnapshot(client, request.getSnapshot());
                    TableName into = table(request.getSnapshot());
                    if (catalog.tables().find(into).isPresent()) {
                        access.requireAny(client, into, Rules.ADMIN);
                    } else {
                        requireNew(client, into);
                    }
                })
                .shows(
                        "GetCompletedSnapshots",
                        MasterProtos.GetCompletedSnapshotsResponse.class,
                        (answer, client) -> MasterProtos.GetCompletedSnapshotsResponse.newBuilder()
                                .addAllSnapshots(answer.getSnapshotsList().stream()
                                        .filter(saved -> rules.allowsAny(client, table(saved), Rules.ADMIN))
                                        .toList())
                                .build());
    }

    private void requireSnapshot(Client client, SnapshotDescription snapshot) throws IOException {
        Optional<TableName> table = snapshotTable.apply(snapshot.getName());
        if (table.isPresent()) {
            access.requireAny(client, table.get(), Rules.ADMIN);
        } else {
            access.requireGlobal(client, Action.ADMIN);
        }
    }

    private static TableName table(SnapshotDescription snapshot) {
        return table(snapshot.getTable());
    }

    private static TableName table(String name) {
        return HBaseTypes.name(org.apache.hadoop.hbase.TableName.valueOf(name));
    }

    private void addNamespaces() {
        rules.needs(
                        "GetNamespaceDescriptor",
                        MasterProtos.GetNamespaceDescriptorRequest.class,
                        (request, client) ->
                                access.requireNamespace(client, request.getNamespaceName(), "", Rules.ADMIN))
                .shows(
                        "ListNamespaceDescriptors",
                        MasterProtos.ListNamespaceDescriptorsResponse.class,
                        (answer, client) -> MasterProtos.ListNamespaceDescriptorsResponse.newBuilder()
                                .addAllNamespaceDescriptor(answer.getNamespaceDescriptorList().stream()
                                        .filter(known -> administers(
                                                client, known.getName().toStringUtf8()))
                                        .toList())
                                .build())
                .shows(
                        "ListNamespaces",
                        MasterProtos.ListNamespacesResponse.class,
                        (answer, client) -> MasterProtos.ListNamespacesResponse.newBuilder()
                                .addAllNamespaceName(answer.getNamespaceNameList().stream()
                                        .filter(name -> administers(client, name))
                                        .toList())
                                .build());
    }

    private boolean administers(Client client, String namespace) {
        return access.allows(client, new Scope.OfNamespace(namespace), Action.ADMIN);
    }

    private void addListings() {
        rules.shows(
                        "GetTableNames",
                        MasterProtos.GetTableNamesResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableNames()
                                .addAllTableNames(seen(answer.getTableNamesList(), client))
                                .build())
                .shows(
                        "ListTableNamesByNamespace",
                        MasterProtos.ListTableNamesByNamespaceResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableName()
                                .addAllTableName(seen(answer.getTableNameList(), client))
                                .build())
                .shows(
                        "ListTableNamesByState",
                        MasterProtos.ListTableNamesByStateResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableNames()
                                .addAllTableNames(seen(answer.getTableNamesList(), client))
                                .build())
                .needs("GetTableDescriptors", MasterProtos.GetTableDescriptorsRequest.class, this::requireDescribed)
                .also(
                        "GetTableDescriptors",
                        MasterProtos.GetTableDescriptorsResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableSchema()
                                .addAllTableSchema(described(answer.getTableSchemaList(), client))
                                .build())
                .shows(
                        "ListTableDescriptorsByNamespace",
                        MasterProtos.ListTableDescriptorsByNamespaceResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableSchema()
                                .addAllTableSchema(described(answer.getTableSchemaList(), client))
                                .build())
                .shows(
                        "ListTableDescriptorsByState",
                        MasterProtos.ListTableDescriptorsByStateResponse.class,
                        (answer, client) -> answer.toBuilder()
                                .clearTableSchema()
                                .addAllTableSchema(described(answer.getTableSchemaList(), client))
                                .build())
                .shows("GetClusterStatus", MasterProtos.GetClusterStatusResponse.class, this::shown);
    }

    /** As in HBase, only a request that names its tables is refused; others just show fewer. */
    private void requireDescribed(MasterProtos.GetTableDescriptorsRequest request, Client client) throws IOException {
        for (HBaseProtos.TableName named : request.getTableNamesList()) {
            TableName table = HBaseTypes.name(named);
            if (!request.hasRegex() && !Access.isForEveryone(table)) {
                access.requireAny(client, table, Rules.ADMIN_OR_CREATE);
            }
        }
    }

    private List<HBaseProtos.TableName> seen(List<HBaseProtos.TableName> tables, Client client) {
        return tables.stream().filter(table -> rules.sees(client, table)).toList();
    }

    private List<HBaseProtos.TableSchema> described(List<HBaseProtos.TableSchema> tables, Client client) {
        return tables.stream()
                .filter(table -> {
                    TableName name = HBaseTypes.name(table.getTableName());
                    return Access.isForEveryone(name) || rules.allowsAny(client, name, Rules.ADMIN_OR_CREATE);
                })
                .toList();
    }

    private Message shown(MasterProtos.GetClusterStatusResponse answer, Client client) {
        ClusterStatus.Builder status = answer.getClusterStatus().toBuilder();
        status.clearTableRegionStatesCount()
                .addAllTableRegionStatesCount(answer.getClusterStatus().getTableRegionStatesCountList().stream()
                        .filter(counted -> rules.sees(client, counted.getTableName()))
                        .toList());
        for (LiveServerInfo.Builder server : status.getLiveServersBuilderList()) {
            server.getServerLoadBuilder()
                    .clearRegionLoads()
                    .addAllRegionLoads(
                            ServerRules.shown(access, server.getServerLoad().getRegionLoadsList(), client));
        }
        return answer.toBuilder().setClusterStatus(status).build();
    }
}
