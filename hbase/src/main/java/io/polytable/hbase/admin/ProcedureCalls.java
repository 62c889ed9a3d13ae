package io.polytable.hbase.admin;

import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetLocksRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetLocksResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.util.ForeignExceptionUtil;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;

/** The calls by which clients poll the procedures that they started. */
final class ProcedureCalls {
    private final Procedures procedures;

    ProcedureCalls(Procedures procedures) {
        this.procedures = procedures;
    }

    List<Method<?>> methods() {
        return List.of(
                Method.of("getProcedureResult", GetProcedureResultRequest.parser(), this::result),
                Method.of("GetProcedures", GetProceduresRequest.parser(), this::list),
                Method.of(
                        "AbortProcedure",
                        AbortProcedureRequest.parser(),
                        (request, call) -> AbortProcedureResponse.newBuilder()
                                .setIsProcedureAborted(false)
                                .build()),
                Method.of(
                        "GetLocks",
                        GetLocksRequest.parser(),
                        (request, call) -> GetLocksResponse.newBuilder()
                                .addAllLock(List.<LockServiceProtos.LockedResource>of())
                                .build()));
    }

    private GetProcedureResultResponse result(GetProcedureResultRequest request, Call call) {
        Optional<Procedures.Procedure> found = procedures.find(request.getProcId());
        GetProcedureResultResponse.Builder response = GetProcedureResultResponse.newBuilder();
        if (found.isEmpty()) {
            return response.setState(State.NOT_FOUND).build();
        }
        Procedures.Procedure procedure = found.get();
        response.setSubmittedTime(procedure.startedMillis()).setLastUpdate(procedure.startedMillis());
        procedure.failure().ifPresent(failure -> response.setException(exception(failure)));
        return response.setState(procedure.isDone() ? State.FINISHED : State.RUNNING)
                .build();
    }

    private static ErrorHandlingProtos.ForeignExceptionMessage exception(Exception failure) {
        return ForeignExceptionUtil.toProtoForeignException(failure);
    }

    private GetProceduresResponse list(GetProceduresRequest request, Call call) {
        GetProceduresResponse.Builder response = GetProceduresResponse.newBuilder();
        for (Procedures.Procedure procedure : procedures.all()) {
            boolean done = procedure.isDone();
            Optional<IOException> failure = procedure.failure();
            ProcedureProtos.Procedure.Builder listed = ProcedureProtos.Procedure.newBuilder()
                    .setClassName(procedure.kind().name())
                    .addStateMessage(Any.pack(procedure.kind().parameters()))
                    .setProcId(procedure.id())
                    .setSubmittedTime(procedure.startedMillis())
                    .setLastUpdate(procedure.startedMillis())
                    .setState(state(done, failure.isPresent()));
            failure.ifPresent(reason -> listed.setException(exception(reason)));
            response.addProcedure(listed);
        }
        return response.build();
    }

    /** In HBase, a failed procedure ends when it is rolled back. */
    private static ProcedureProtos.ProcedureState state(boolean done, boolean failed) {
        if (failed) {
            return ProcedureProtos.ProcedureState.ROLLEDBACK;
        }
        return done ? ProcedureProtos.ProcedureState.SUCCESS : ProcedureProtos.ProcedureState.RUNNABLE;
    }
}
