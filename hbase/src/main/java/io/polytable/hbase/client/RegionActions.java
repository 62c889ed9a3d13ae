package io.polytable.hbase.client;

import io.polytable.cells.Cell;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.Conditions;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.convert.Mutations;
import io.polytable.hbase.convert.Results;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Failures;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The actions of a Multi on one region: either independent actions, each with its own outcome, or mutations of one row
 * that are applied atomically, optionally under a condition.
 */
final class RegionActions {
    /** A call may have any number of mutations; the store accepts at least this many in one batch. */
    private static final int WRITES_AT_ONCE = 10_000;

    private final Region region;
    private final ClientProtos.RegionAction request;
    private final Call call;
    private final long nonceGroup;
    private final ResultBudget budget;
    private final RegionReads reads;

    private final List<ActionOutcome> outcomes = new ArrayList<>();
    private final List<RowWrite> pending = new ArrayList<>();
    private final List<Integer> pendingActions = new ArrayList<>();
    private final List<CompletableFuture<?>> writes = new ArrayList<>();
    private final RowGroup group = new RowGroup();
    private Optional<IOException> failure = Optional.empty();
    private Optional<Boolean> processed = Optional.empty();

    RegionActions(Region region, ClientProtos.RegionAction request, Call call, long nonceGroup, ResultBudget budget) {
        this.region = region;
        this.request = request;
        this.call = call;
        this.nonceGroup = nonceGroup;
        this.budget = budget;
        reads = new RegionReads(region, budget, outcomes);
    }

    /** Starts all actions; completes when every mutation is durable. Failures become part of the result. */
    CompletableFuture<?> start() {
        if (request.hasCondition() || request.getAtomic()) {
            return startTogether();
        }
        for (ClientProtos.Action action : request.getActionList()) {
            startOne(action);
        }
        reads.finish();
        flush();
        return CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new));
    }

    private void startOne(ClientProtos.Action action) {
        int place = outcomes.size();
        outcomes.add(ActionOutcome.SILENT);
        try {
            if (action.hasGet()) {
                finishWrites();
                reads.add(place, action.getGet());
            } else if (action.hasMutation()) {
                reads.finish();
                pending.add(region.checked(Mutations.write(action.getMutation(), call.cells(), nonceGroup)));
                pendingActions.add(place);
                if (pending.size() == WRITES_AT_ONCE) {
                    // If these wait for space, the next ones could overtake them.
                    finishWrites();
                }
            } else {
                throw new DoNotRetryIOException("Coprocessor calls are not supported");
            }
        } catch (IOException | RuntimeException failed) {
            outcomes.set(place, ActionOutcome.failed(Failures.of(failed)));
        }
    }

    /** Waits for the mutations so far, so that a later read or mutation sees them. */
    private void finishWrites() {
        flush();
        writes.forEach(CompletableFuture::join);
    }

    private void flush() {
        if (pending.isEmpty()) {
            return;
        }
        List<RowWrite> batch = List.copyOf(pending);
        List<Integer> places = List.copyOf(pendingActions);
        pending.clear();
        pendingActions.clear();
        CompletableFuture<List<WriteOutcome>> written;
        try {
            written = region.write(batch.size(), table -> table.writeAllAsync(batch, budget.shared()));
        } catch (IOException | RuntimeException refused) {
            written = CompletableFuture.failedFuture(refused);
        }
        writes.add(written.handle((done, failed) -> {
            if (failed == null) {
                batch.forEach(region::wrote);
            }
            for (int i = 0; i < places.size(); i++) {
                boolean returns = batch.get(i).returnsCells();
                outcomes.set(
                        places.get(i),
                        failed == null
                                ? outcome(region, done.get(i), returns)
                                : ActionOutcome.failed(Failures.of(failed)));
            }
            return null;
        }));
    }

    private static ActionOutcome outcome(Region region, WriteOutcome outcome, boolean returnsCells) {
        if (outcome instanceof WriteOutcome.Failed failed) {
            return ActionOutcome.failed(region.failure(failed.failure()));
        }
        return returnsCells && outcome instanceof WriteOutcome.Done done
                ? (action, results) -> action.setResult(results.of(done.result().cells(), false))
                : ActionOutcome.DONE;
    }

    private CompletableFuture<?> startTogether() {
        try {
            RowWrite write = together();
            int requests = request.getActionCount();
            return region.write(requests, table -> table.writeAsync(write)).handle((result, failed) -> {
                if (failed == null) {
                    region.wrote(write);
                    appliedTogether(result);
                } else {
                    failure = Optional.of(Failures.of(failed));
                }
                return null;
            });
        } catch (IOException | RuntimeException refused) {
            failure = Optional.of(Failures.of(refused));
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Combines all mutations into one row write. Consumes the cells of every mutation even if the whole is refused. */
    private RowWrite together() throws IOException {
        Optional<Bytes> row = Optional.empty();
        Optional<Nonce> nonce = Optional.empty();
        Optional<IOException> refusal = Optional.empty();
        for (ClientProtos.Action action : request.getActionList()) {
            ClientProtos.MutationProto mutation = action.getMutation();
            try {
                List<Edit> edits = Mutations.edits(mutation, call.cells());
                group.add(mutation, edits);
                Bytes own = region.checked(HBaseTypes.bytes(mutation.getRow()));
                region.checkSizes(own, edits);
                if (!action.hasMutation() || !row.orElse(own).equals(own)) {
                    throw new DoNotRetryIOException("Only changes of one row can be made together");
                }
                row = Optional.of(own);
            } catch (IOException | RuntimeException refused) {
                refusal = refusal.or(() -> Optional.of(Failures.of(refused)));
            }
            nonce = nonce.or(() -> Mutations.nonce(mutation, nonceGroup));
        }
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        Bytes whole = row.orElseThrow(() -> new DoNotRetryIOException("No changes"));
        RowWrite write = region.limited(RowWrite.of(whole, group.edits()));
        write = nonce.isPresent() ? write.with(nonce.get()) : write;
        write = group.returnsCells() ? write : write.withoutCells();
        if (request.hasCondition()) {
            PointCalls.requireSameRow(request.getCondition(), whole);
            write = write.when(Conditions.of(request.getCondition()));
        }
        return write;
    }

    private void appliedTogether(WriteResult result) {
        processed = Optional.of(result.applied());
        List<Cell> cells = group.answered(result.cells());
        for (int i = 0; i < request.getActionCount(); i++) {
            boolean first = i == 0 && result.applied() && !cells.isEmpty();
            outcomes.add(
                    first ? (action, results) -> action.setResult(results.of(cells, false)) : ActionOutcome.SILENT);
        }
    }

    Optional<Boolean> processed() {
        return processed;
    }

    /** Whether something was, or may have been, written. */
    boolean hasChanges() {
        return !writes.isEmpty() || processed.isPresent();
    }

    /**
     * Builds the result after all actions are done.
     *
     * @param withoutReads whether to omit the results of reads, for lack of memory
     */
    ClientProtos.RegionActionResult answer(Results results, boolean withoutReads) {
        ClientProtos.RegionActionResult.Builder answer = ClientProtos.RegionActionResult.newBuilder();
        if (failure.isPresent()) {
            return answer.setException(ResponseConverter.buildException(failure.get()))
                    .build();
        }
        processed.ifPresent(answer::setProcessed);
        for (int i = 0; i < outcomes.size(); i++) {
            ActionOutcome outcome =
                    withoutReads && request.getAction(i).hasGet() ? RegionReads.refusal() : outcomes.get(i);
            if (outcome == ActionOutcome.DONE) {
                answer.addResultOrException(ActionOutcome.doneAt(index(i)));
                continue;
            }
            ClientProtos.ResultOrException.Builder action = answer.addResultOrExceptionBuilder();
            action.setIndex(index(i));
            outcome.into(action, results);
        }
        return answer.build();
    }

    private int index(int place) {
        ClientProtos.Action action = request.getAction(place);
        return action.hasIndex() ? action.getIndex() : place;
    }
}
