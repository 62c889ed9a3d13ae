package io.polytable.hbase.admin;

import io.polytable.cells.store.SavedTable;
import io.polytable.hbase.access.Access;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;

/** The calls that take, list, restore, clone and delete snapshots of tables. A snapshot is a copy in the cell store. */
final class SnapshotCalls {
    private static final long EXPECTED_MILLIS = 300_000;

    private final TableChanges changes;
    private final Procedures procedures;
    private final Access access;

    SnapshotCalls(TableChanges changes, Procedures procedures, Access access) {
        this.changes = changes;
        this.procedures = procedures;
        this.access = access;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("Snapshot", MasterProtos.SnapshotRequest.parser(), this::take),
                Method.of("IsSnapshotDone", MasterProtos.IsSnapshotDoneRequest.parser(), this::isDone),
                Method.of("GetCompletedSnapshots", MasterProtos.GetCompletedSnapshotsRequest.parser(), this::list),
                Method.async("DeleteSnapshot", MasterProtos.DeleteSnapshotRequest.parser(), this::delete),
                Method.of("RestoreSnapshot", MasterProtos.RestoreSnapshotRequest.parser(), this::restore));
    }

    private MasterProtos.SnapshotResponse take(MasterProtos.SnapshotRequest request, Call call) throws IOException {
        String name = request.getSnapshot().getName();
        TableName table = name(request.getSnapshot().getTable());
        long id = procedures.run(
                ProcedureKind.snapshot(request.getSnapshot()),
                request.getNonceGroup(),
                request.getNonce(),
                () -> changes.save(table, name));
        MasterProtos.SnapshotResponse.Builder response =
                MasterProtos.SnapshotResponse.newBuilder().setExpectedTimeout(EXPECTED_MILLIS);
        // A client that sends a nonce polls the procedure; an older one asks whether the snapshot is done.
        return request.hasNonce() ? response.setProcId(id).build() : response.build();
    }

    private MasterProtos.IsSnapshotDoneResponse isDone(MasterProtos.IsSnapshotDoneRequest request, Call call) {
        Optional<SavedTable> found = find(request.getSnapshot().getName());
        MasterProtos.IsSnapshotDoneResponse.Builder response =
                MasterProtos.IsSnapshotDoneResponse.newBuilder().setDone(found.isPresent());
        found.ifPresent(saved -> response.setSnapshot(description(saved)));
        return response.build();
    }

    private Optional<SavedTable> find(String name) {
        return changes.saved().stream()
                .filter(saved -> saved.name().equals(name))
                .findFirst();
    }

    private MasterProtos.GetCompletedSnapshotsResponse list(
            MasterProtos.GetCompletedSnapshotsRequest request, Call call) {
        MasterProtos.GetCompletedSnapshotsResponse.Builder response =
                MasterProtos.GetCompletedSnapshotsResponse.newBuilder();
        changes.saved().forEach(saved -> response.addSnapshots(description(saved)));
        return response.build();
    }

    private static SnapshotDescription description(SavedTable saved) {
        return SnapshotDescription.newBuilder()
                .setName(saved.name())
                .setTable(HBaseTypes.hbaseName(saved.spec().name()).getNameAsString())
                .setCreationTime(saved.savedMillis())
                .setType(SnapshotDescription.Type.FLUSH)
                .setVersion(2)
                .build();
    }

    /**
     * Clients do not poll a deletion, so it is answered when it is done. It may need to wait for another snapshot that
     * is just being copied, and no worker waits with it.
     */
    private CompletableFuture<Answer> delete(MasterProtos.DeleteSnapshotRequest request, Call call) throws IOException {
        String name = request.getSnapshot().getName();
        requireKnown(name);
        return procedures
                .inTurn(() -> changes.forget(name))
                .thenApply(done -> Answer.of(MasterProtos.DeleteSnapshotResponse.getDefaultInstance()));
    }

    private void requireKnown(String name) throws IOException {
        if (find(name).isEmpty()) {
            throw new SnapshotDoesNotExistException(name);
        }
    }

    /** Restores into the requested table: a missing one is cloned, an existing one must be disabled. */
    private MasterProtos.RestoreSnapshotResponse restore(MasterProtos.RestoreSnapshotRequest request, Call call)
            throws IOException {
        String name = request.getSnapshot().getName();
        TableName table = name(request.getSnapshot().getTable());
        requireKnown(name);
        long id = procedures.run(
                ProcedureKind.restore(
                        request.getSnapshot(), ProtobufUtil.toProtoTableName(HBaseTypes.hbaseName(table)), call),
                request.getNonceGroup(),
                request.getNonce(),
                () -> restore(name, table, call.client()));
        return MasterProtos.RestoreSnapshotResponse.newBuilder().setProcId(id).build();
    }

    private void restore(String name, TableName table, Client client) throws IOException {
        if (changes.restoreOrClone(name, table)) {
            access.created(client, table);
        }
    }

    private static TableName name(String text) {
        return HBaseTypes.name(org.apache.hadoop.hbase.TableName.valueOf(text));
    }
}
