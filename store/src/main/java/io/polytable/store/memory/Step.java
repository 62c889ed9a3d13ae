package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.table.write.EncodedRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** One step of applying a generation: its changes at spots in [from, to). */
public final class Step {
    private final Generation generation;
    private final Map<Integer, Run> sorted;
    private final int from;
    private final int to;

    Step(Generation generation, Map<Integer, Run> sorted, int from, int to) {
        this.generation = generation;
        this.sorted = sorted;
        this.from = from;
        this.to = to;
    }

    /** The range deletes, in commit order. */
    public List<RangeTombstone> ranges() {
        return generation.ranges(from, to);
    }

    /** The tables that may have rows in this step. */
    public Set<Integer> tables() {
        return sorted.keySet();
    }

    /** Visits the newest row of each key of the table, unless a later range delete covers it. The view is reused. */
    public void forEach(int table, Consumer<EncodedRow> action) {
        EncodedRow view = new EncodedRow();
        RangeTombstones later = RangeTombstones.of(
                ranges().stream().filter(range -> range.table() == table).toList());
        RowSorter sorter = new RowSorter(generation, Integer.MAX_VALUE, RowSorter.NEWEST);
        Run run = sorter.between(sorted.getOrDefault(table, Run.EMPTY), from, to);
        for (int spot : run.spots()) {
            generation.row(view, spot);
            if (later.isEmpty() || !later.hides(view.key(), generation.address(spot))) {
                action.accept(view);
            }
        }
    }
}
