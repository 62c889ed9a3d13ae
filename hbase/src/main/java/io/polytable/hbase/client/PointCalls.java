package io.polytable.hbase.client;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.CellReads;
import io.polytable.cells.store.CellTable;
import io.polytable.hbase.access.Access;
import io.polytable.hbase.access.GuardedRegion;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.Conditions;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.convert.Mutations;
import io.polytable.hbase.convert.Results;
import io.polytable.hbase.convert.Selections;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.hbase.rpc.Method;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** The calls Get and Mutate, for single rows. */
public final class PointCalls {
    private final ServedRegions regions;
    private final Access access;

    public PointCalls(ServedRegions regions, Access access) {
        this.regions = regions;
        this.access = access;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.async("Get", ClientProtos.GetRequest.parser(), this::get).asBrief(),
                Method.async("Mutate", ClientProtos.MutateRequest.parser(), this::mutate)
                        .asBrief());
    }

    /**
     * Reads small rows on the event loop; a wide row moves to a worker, since it would delay the other clients of the
     * loop.
     */
    private CompletableFuture<Answer> get(ClientProtos.GetRequest request, Call call) throws IOException {
        GuardedRegion guarded = access.region(regions, request.getRegion(), call.client());
        guarded.requireRead();
        Region region = guarded.region();
        ClientProtos.Get get = request.getGet();
        if (get.getClosestRowBefore()) {
            throw new DoNotRetryIOException("closest_row_before is not supported; use a reversed scan");
        }
        Bytes row = region.checked(HBaseTypes.bytes(get.getRow()));
        CellReads reads = guarded.reading(1);
        if (get.hasFilter()) {
            // A client's regular expression may take arbitrarily long.
            return call.later(() -> reads.getAsync(row, region.checked(Selections.of(get, region.spec()))))
                    .thenApply(found -> answer(get, found, call));
        }
        Selection selection = region.checked(Selections.of(get, region.spec()));
        return reads.getBrief(row, selection)
                .thenCompose(found -> found.map(CompletableFuture::completedFuture)
                        .orElseGet(() -> CallFailure.of(() -> call.later(() -> reads.getAsync(row, selection)))))
                .thenApply(found -> answer(get, found, call));
    }

    private static Answer answer(ClientProtos.Get get, CellRow found, Call call) {
        Results results = new Results(call.client());
        ClientProtos.Result result = get.getExistenceOnly()
                ? ClientProtos.Result.newBuilder().setExists(!found.isEmpty()).build()
                : results.of(found.cells(), false);
        return new Answer(
                ClientProtos.GetResponse.newBuilder().setResult(result).build(), results.cells());
    }

    private CompletableFuture<Answer> mutate(ClientProtos.MutateRequest request, Call call) throws IOException {
        GuardedRegion guarded = access.region(regions, request.getRegion(), call.client());
        ClientProtos.MutationProto mutation = request.getMutation();
        Region region = guarded.region();
        RowWrite asked = Mutations.write(mutation, call.cells(), request.getNonceGroup());
        guarded.requireWrite(mutation, asked.edits());
        RowWrite write = region.checked(asked);
        if (request.hasCondition()) {
            guarded.requireRead();
            requireSameRow(request.getCondition(), write.row());
            write = write.when(Conditions.of(request.getCondition()));
        }
        RowWrite whole = write;
        boolean isBrief = Conditions.isBrief(request.getCondition());
        return region.write(table -> written(table, whole, isBrief, call)).thenApply(result -> {
            region.wrote(whole);
            return answer(mutation, result, call);
        });
    }

    /** Writes on this thread, or on a worker if the write may take long or must wait for others. */
    private static CompletableFuture<WriteResult> written(CellTable table, RowWrite write, boolean isBrief, Call call) {
        Optional<CompletableFuture<WriteResult>> now = isBrief ? table.tryWriteAsync(write) : Optional.empty();
        return now.isPresent() ? now.get() : CallFailure.of(() -> call.later(() -> table.writeAsync(write)));
    }

    static void requireSameRow(ClientProtos.Condition condition, Bytes row) throws IOException {
        if (!HBaseTypes.bytes(condition.getRow()).equals(row)) {
            throw new DoNotRetryIOException("The condition is about another row than the mutation");
        }
    }

    private static Answer answer(ClientProtos.MutationProto mutation, WriteResult result, Call call) {
        ClientProtos.MutateResponse.Builder response =
                ClientProtos.MutateResponse.newBuilder().setProcessed(result.applied());
        Results results = new Results(call.client());
        if (result.applied() && Mutations.isComputed(mutation)) {
            // Set even if the client wants no cells: it would take a missing result for a call that was not executed.
            List<Cell> cells = Mutations.returnsCells(mutation) ? result.cells() : List.of();
            response.setResult(results.of(cells, false));
        }
        Answer answer = new Answer(response.build(), results.cells());
        return answer.withFallback(() -> answer);
    }
}
