package io.polytable.hbase.admin;

import io.polytable.hbase.access.Access;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableResponse;

/** The calls that create, alter, enable, disable, truncate and drop tables. */
final class TableCalls {
    private final TableChanges changes;
    private final Procedures procedures;
    private final Access access;

    TableCalls(TableChanges changes, Procedures procedures, Access access) {
        this.changes = changes;
        this.procedures = procedures;
        this.access = access;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("CreateTable", CreateTableRequest.parser(), this::create),
                Method.of("ModifyTable", ModifyTableRequest.parser(), this::modify),
                Method.of("AddColumn", AddColumnRequest.parser(), this::addColumn),
                Method.of("ModifyColumn", ModifyColumnRequest.parser(), this::modifyColumn),
                Method.of("DeleteColumn", DeleteColumnRequest.parser(), this::deleteColumn),
                Method.of("EnableTable", EnableTableRequest.parser(), this::enable),
                Method.of("DisableTable", DisableTableRequest.parser(), this::disable),
                Method.of("DeleteTable", DeleteTableRequest.parser(), this::delete),
                Method.of("truncateTable", TruncateTableRequest.parser(), this::truncate));
    }

    private long run(ProcedureKind kind, long group, long nonce, CallFailure.Action action) throws IOException {
        return procedures.run(kind, group, nonce, action);
    }

    private CreateTableResponse create(CreateTableRequest request, Call call) throws IOException {
        TableDescriptor descriptor = ProtobufUtil.toTableDescriptor(request.getTableSchema());
        List<Bytes> splits =
                request.getSplitKeysList().stream().map(HBaseTypes::bytes).toList();
        long id = run(
                ProcedureKind.createTable(request.getTableSchema(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> {
                    changes.create(descriptor, splits);
                    // A crash may have come between the end of an older table of this name and that of its grants.
                    access.dropped(HBaseTypes.name(descriptor.getTableName()));
                    access.created(call.client(), HBaseTypes.name(descriptor.getTableName()));
                });
        return CreateTableResponse.newBuilder().setProcId(id).build();
    }

    private ModifyTableResponse modify(ModifyTableRequest request, Call call) throws IOException {
        TableDescriptor descriptor = ProtobufUtil.toTableDescriptor(request.getTableSchema());
        long id = run(
                ProcedureKind.modifyTable(request.getTableSchema(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.modify(descriptor));
        return ModifyTableResponse.newBuilder().setProcId(id).build();
    }

    private AddColumnResponse addColumn(AddColumnRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        ColumnFamilyDescriptor family = ProtobufUtil.toColumnFamilyDescriptor(request.getColumnFamilies());
        long id = run(
                ProcedureKind.modifyFamily(request.getTableName(), family, call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.addFamily(name, family));
        return AddColumnResponse.newBuilder().setProcId(id).build();
    }

    private ModifyColumnResponse modifyColumn(ModifyColumnRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        ColumnFamilyDescriptor family = ProtobufUtil.toColumnFamilyDescriptor(request.getColumnFamilies());
        long id = run(
                ProcedureKind.modifyFamily(request.getTableName(), family, call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.modifyFamily(name, family));
        return ModifyColumnResponse.newBuilder().setProcId(id).build();
    }

    private DeleteColumnResponse deleteColumn(DeleteColumnRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        Bytes family = HBaseTypes.bytes(request.getColumnName());
        long id = run(
                ProcedureKind.deleteFamily(request.getTableName(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.deleteFamily(name, family));
        return DeleteColumnResponse.newBuilder().setProcId(id).build();
    }

    private EnableTableResponse enable(EnableTableRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        long id = run(
                ProcedureKind.enableTable(request.getTableName(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.enable(name));
        return EnableTableResponse.newBuilder().setProcId(id).build();
    }

    private DisableTableResponse disable(DisableTableRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        long id = run(
                ProcedureKind.disableTable(request.getTableName(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.disable(name));
        return DisableTableResponse.newBuilder().setProcId(id).build();
    }

    private DeleteTableResponse delete(DeleteTableRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        long id = run(
                ProcedureKind.deleteTable(request.getTableName(), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> {
                    changes.drop(name);
                    access.dropped(name);
                });
        return DeleteTableResponse.newBuilder().setProcId(id).build();
    }

    private TruncateTableResponse truncate(TruncateTableRequest request, Call call) throws IOException {
        TableName name = HBaseTypes.name(request.getTableName());
        boolean keepsSplits = request.getPreserveSplits();
        long id = run(
                ProcedureKind.truncateTable(request.getTableName(), keepsSplits, call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.truncate(name, keepsSplits));
        return TruncateTableResponse.newBuilder().setProcId(id).build();
    }
}
