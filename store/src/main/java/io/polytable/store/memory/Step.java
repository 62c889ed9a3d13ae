package io.polytable.store.memory;

import io.polytable.store.memory.flat.Run;
import io.polytable.table.EncodedRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A part of a generation that goes into the state before the next: the changes at spots from one up to another. */
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

    /** In the order they were committed. */
    public List<RangeTombstone> ranges() {
        return generation.ranges(from, to);
    }

    /** The tables there may be rows of. */
    public Set<Integer> tables() {
        return sorted.keySet();
    }

    /** Of each key of the table the newest row, unless a later range delete takes it away; the view moves on. */
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
