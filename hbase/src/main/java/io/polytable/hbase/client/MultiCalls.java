package io.polytable.hbase.client;

import io.polytable.hbase.access.Access;
import io.polytable.hbase.access.GuardedRegion;
import io.polytable.hbase.convert.Mutations;
import io.polytable.hbase.convert.Results;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Method;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** The Multi call: many actions at once, for batches, buffered mutations and row mutations. */
public final class MultiCalls {
    /** Builds the result of a region's actions: all of it, or only the outcomes of mutations. */
    private interface RegionAnswer {
        ClientProtos.RegionActionResult of(Results results, boolean withoutReads);
    }

    private final ServedRegions regions;
    private final Access access;
    private final ClientLimits limits;

    public MultiCalls(ServedRegions regions, Access access, ClientLimits limits) {
        this.regions = regions;
        this.access = access;
        this.limits = limits;
    }

    public List<Method<?>> methods() {
        return List.of(Method.async("Multi", ClientProtos.MultiRequest.parser(), this::multi));
    }

    private CompletableFuture<Answer> multi(ClientProtos.MultiRequest request, Call call) throws IOException {
        ResultBudget budget = new ResultBudget(limits.resultBytesMax());
        List<CompletableFuture<?>> running = new ArrayList<>();
        List<RegionAnswer> answers = new ArrayList<>();
        List<RegionActions> started = new ArrayList<>();
        for (ClientProtos.RegionAction original : request.getRegionActionList()) {
            ClientProtos.RegionAction action = withCondition(request, original);
            try {
                GuardedRegion region = access.region(regions, action.getRegion(), call.client());
                RegionActions actions = new RegionActions(region, action, call, request.getNonceGroup(), budget);
                running.add(actions.start());
                started.add(actions);
                answers.add(actions::answer);
            } catch (IOException unknown) {
                skipCells(action, call);
                answers.add((results, withoutReads) -> ClientProtos.RegionActionResult.newBuilder()
                        .setException(ResponseConverter.buildException(unknown))
                        .build());
            }
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> answer(answers, started, call));
    }

    private static Answer answer(List<RegionAnswer> answers, List<RegionActions> started, Call call) {
        Answer answer = answer(answers, started, call, false);
        return started.stream().anyMatch(RegionActions::hasChanges)
                ? answer.withFallback(() -> answer(answers, started, call, true))
                : answer;
    }

    /** Clients before 2.4 send one condition beside the one region's actions. */
    @SuppressWarnings("deprecation")
    private static ClientProtos.RegionAction withCondition(
            ClientProtos.MultiRequest request, ClientProtos.RegionAction action) {
        return request.hasCondition() && !action.hasCondition()
                ? action.toBuilder().setCondition(request.getCondition()).build()
                : action;
    }

    private static void skipCells(ClientProtos.RegionAction action, Call call) throws IOException {
        for (ClientProtos.Action skipped : action.getActionList()) {
            Mutations.skip(skipped.getMutation(), call.cells());
        }
    }

    @SuppressWarnings("deprecation")
    private static Answer answer(
            List<RegionAnswer> answers, List<RegionActions> started, Call call, boolean withoutReads) {
        Results results = new Results(call.client());
        ClientProtos.MultiResponse.Builder response = ClientProtos.MultiResponse.newBuilder();
        answers.forEach(answer -> response.addRegionActionResult(answer.of(results, withoutReads)));
        // Old clients read the result of an atomic group from the call as a whole.
        started.forEach(actions -> actions.processed().ifPresent(response::setProcessed));
        return new Answer(response.build(), results.cells());
    }
}
