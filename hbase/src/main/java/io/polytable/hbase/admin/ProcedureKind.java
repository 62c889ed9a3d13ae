package io.polytable.hbase.admin;

import io.polytable.hbase.rpc.Call;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * What a procedure does, as clients list it.
 *
 * @param name HBase's name of the procedure
 * @param parameters the message in which HBase's procedure keeps its parameters
 */
record ProcedureKind(String name, Message parameters) {
    static ProcedureKind createTable(HBaseProtos.TableSchema table, Call call) {
        return new ProcedureKind(
                "CreateTableProcedure",
                MasterProcedureProtos.CreateTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setTableSchema(table)
                        .build());
    }

    static ProcedureKind modifyTable(HBaseProtos.TableSchema table, Call call) {
        return new ProcedureKind(
                "ModifyTableProcedure",
                MasterProcedureProtos.ModifyTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setModifiedTableSchema(table)
                        .setDeleteColumnFamilyInModify(false)
                        .build());
    }

    /** A change of one family, which is shown without the others. */
    static ProcedureKind modifyFamily(HBaseProtos.TableName table, ColumnFamilyDescriptor family, Call call) {
        return modifyTable(
                HBaseProtos.TableSchema.newBuilder()
                        .setTableName(table)
                        .addColumnFamilies(ProtobufUtil.toColumnFamilySchema(family))
                        .build(),
                call);
    }

    static ProcedureKind deleteFamily(HBaseProtos.TableName table, Call call) {
        return new ProcedureKind(
                "ModifyTableProcedure",
                MasterProcedureProtos.ModifyTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setModifiedTableSchema(
                                HBaseProtos.TableSchema.newBuilder().setTableName(table))
                        .setDeleteColumnFamilyInModify(true)
                        .build());
    }

    @SuppressWarnings("deprecation") // HBase no longer uses the field, but requires it.
    static ProcedureKind enableTable(HBaseProtos.TableName table, Call call) {
        return new ProcedureKind(
                "EnableTableProcedure",
                MasterProcedureProtos.EnableTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setTableName(table)
                        .setSkipTableStateCheck(false)
                        .build());
    }

    static ProcedureKind disableTable(HBaseProtos.TableName table, Call call) {
        return new ProcedureKind(
                "DisableTableProcedure",
                MasterProcedureProtos.DisableTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setTableName(table)
                        .setSkipTableStateCheck(false)
                        .build());
    }

    static ProcedureKind deleteTable(HBaseProtos.TableName table, Call call) {
        return new ProcedureKind(
                "DeleteTableProcedure",
                MasterProcedureProtos.DeleteTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setTableName(table)
                        .build());
    }

    static ProcedureKind truncateTable(HBaseProtos.TableName table, boolean keepsSplits, Call call) {
        return new ProcedureKind(
                "TruncateTableProcedure",
                MasterProcedureProtos.TruncateTableStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setTableName(table)
                        .setPreserveSplits(keepsSplits)
                        .build());
    }

    static ProcedureKind flushTable(HBaseProtos.TableName table) {
        return new ProcedureKind(
                "FlushTableProcedure",
                MasterProcedureProtos.FlushTableProcedureStateData.newBuilder()
                        .setTableName(table)
                        .build());
    }

    static ProcedureKind split(HBaseProtos.RegionInfo region, Call call) {
        return new ProcedureKind(
                "SplitTableRegionProcedure",
                MasterProcedureProtos.SplitTableRegionStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setParentRegionInfo(region)
                        .build());
    }

    static ProcedureKind truncateRegion(HBaseProtos.RegionInfo region, Call call) {
        return new ProcedureKind(
                "TruncateRegionProcedure",
                MasterProcedureProtos.TruncateRegionStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setRegionInfo(region)
                        .build());
    }

    static ProcedureKind merge(Iterable<HBaseProtos.RegionInfo> regions, Call call) {
        return new ProcedureKind(
                "MergeTableRegionsProcedure",
                MasterProcedureProtos.MergeTableRegionsStateData.newBuilder()
                        .setUserInfo(user(call))
                        .addAllRegionInfo(regions)
                        .build());
    }

    static ProcedureKind snapshot(SnapshotProtos.SnapshotDescription snapshot) {
        return new ProcedureKind(
                "SnapshotProcedure",
                MasterProcedureProtos.SnapshotProcedureStateData.newBuilder()
                        .setSnapshot(snapshot)
                        .build());
    }

    static ProcedureKind restore(SnapshotProtos.SnapshotDescription snapshot, HBaseProtos.TableName table, Call call) {
        HBaseProtos.TableSchema named =
                HBaseProtos.TableSchema.newBuilder().setTableName(table).build();
        return new ProcedureKind(
                "RestoreSnapshotProcedure",
                MasterProcedureProtos.RestoreSnapshotStateData.newBuilder()
                        .setUserInfo(user(call))
                        .setSnapshot(snapshot)
                        .setModifiedTableSchema(named)
                        .setOldTableSchema(named)
                        .build());
    }

    static ProcedureKind createNamespace(HBaseProtos.NamespaceDescriptor namespace) {
        return new ProcedureKind(
                "CreateNamespaceProcedure",
                MasterProcedureProtos.CreateNamespaceStateData.newBuilder()
                        .setNamespaceDescriptor(namespace)
                        .build());
    }

    static ProcedureKind modifyNamespace(HBaseProtos.NamespaceDescriptor namespace) {
        return new ProcedureKind(
                "ModifyNamespaceProcedure",
                MasterProcedureProtos.ModifyNamespaceStateData.newBuilder()
                        .setNamespaceDescriptor(namespace)
                        .build());
    }

    static ProcedureKind deleteNamespace(String name) {
        return new ProcedureKind(
                "DeleteNamespaceProcedure",
                MasterProcedureProtos.DeleteNamespaceStateData.newBuilder()
                        .setNamespaceName(name)
                        .build());
    }

    private static UserInformation user(Call call) {
        return UserInformation.newBuilder()
                .setEffectiveUser(call.client().user())
                .build();
    }
}
