package io.polytable.hbase.client;

import io.polytable.cells.CellRow;
import io.polytable.cells.request.Selection;
import io.polytable.cells.store.CellReads;
import io.polytable.hbase.access.GuardedRegion;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.HBaseTypes;
import io.polytable.hbase.convert.Selections;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** The Gets of a Multi on one region. Consecutive ones with equal selections are read together. */
final class RegionReads {
    private final GuardedRegion guarded;
    private final Region region;
    private final ResultBudget budget;
    private final List<ActionOutcome> outcomes;
    private final List<Asked> pending = new ArrayList<>();

    /** A requested row; {@code place} is its index among the outcomes of all actions. */
    private record Asked(int place, Bytes row, Selection selection, boolean existence) {}

    RegionReads(GuardedRegion guarded, ResultBudget budget, List<ActionOutcome> outcomes) {
        this.guarded = guarded;
        region = guarded.region();
        this.budget = budget;
        this.outcomes = outcomes;
    }

    /** Adds a Get, which {@link #finish} reads at the latest. */
    void add(int place, ClientProtos.Get get) throws IOException {
        guarded.requireRead();
        Bytes row = region.checked(HBaseTypes.bytes(get.getRow()));
        Selection selection = region.checked(Selections.of(get, region.spec()));
        if (!pending.isEmpty() && !pending.get(0).selection().equals(selection)) {
            finish();
        }
        pending.add(new Asked(place, row, selection, get.getExistenceOnly()));
    }

    void finish() {
        if (pending.isEmpty()) {
            return;
        }
        List<Asked> together = List.copyOf(pending);
        pending.clear();
        try {
            read(together);
        } catch (RuntimeException failed) {
            // Reads each on its own, so that only the failing ones fail.
            together.forEach(this::readAlone);
        }
    }

    private void readAlone(Asked asked) {
        try {
            read(List.of(asked));
        } catch (RuntimeException failed) {
            outcomes.set(asked.place(), ActionOutcome.failed(region.failure(failed)));
        }
    }

    private void read(List<Asked> together) {
        List<Optional<CellRow>> found = budget.isUsedUp() ? List.of() : answers(together);
        for (int i = 0; i < together.size(); i++) {
            Asked asked = together.get(i);
            Optional<CellRow> row = i < found.size() ? found.get(i) : Optional.empty();
            row.ifPresent(budget::spend);
            outcomes.set(asked.place(), row.map(cells -> outcome(cells, asked)).orElseGet(RegionReads::refusal));
        }
    }

    private List<Optional<CellRow>> answers(List<Asked> together) {
        CellReads reads = guarded.reading(together.size());
        return reads.getSome(
                together.stream().map(Asked::row).toList(), together.get(0).selection(), budget.left());
    }

    static ActionOutcome refusal() {
        return ActionOutcome.failed(
                new MultiActionResultTooLarge("The results of this call are large enough; ask for the rest again"));
    }

    private static ActionOutcome outcome(CellRow found, Asked asked) {
        return asked.existence()
                ? (action, results) ->
                        action.setResult(ClientProtos.Result.newBuilder().setExists(!found.isEmpty()))
                : (action, results) -> action.setResult(results.of(found.cells(), false));
    }
}
