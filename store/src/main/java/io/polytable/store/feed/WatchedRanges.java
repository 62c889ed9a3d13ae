package io.polytable.store.feed;

import io.polytable.table.Bytes;
import io.polytable.table.Table;
import io.polytable.table.feed.RangeChanges;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The key ranges whose changes are being tracked. Commits pay for it only while there are some. */
public final class WatchedRanges {
    private final EncodedRow row = new EncodedRow();
    private volatile Map<Integer, List<RangeChanges>> byTable = Map.of();

    /**
     * Call while commits are blocked.
     *
     * @param now the number of the last commit
     */
    public RangeChanges add(Table table, List<Bytes> bounds, long now) {
        RangeChanges changes = new RangeChanges(table, bounds, now, this::remove);
        replace(changes, true);
        return changes;
    }

    private void remove(RangeChanges changes) {
        replace(changes, false);
    }

    private synchronized void replace(RangeChanges changes, boolean stays) {
        Map<Integer, List<RangeChanges>> next = new HashMap<>(byTable);
        List<RangeChanges> ofTable =
                new ArrayList<>(next.getOrDefault(changes.table().id(), List.of()));
        ofTable.remove(changes);
        if (stays) {
            ofTable.add(changes);
        }
        if (ofTable.isEmpty()) {
            next.remove(changes.table().id());
        } else {
            next.put(changes.table().id(), List.copyOf(ofTable));
        }
        byTable = Map.copyOf(next);
    }

    /** Call for each commit, in order. */
    public void committed(Batch batch, long number) {
        Map<Integer, List<RangeChanges>> watched = byTable;
        if (watched.isEmpty()) {
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.row(row, i);
            for (RangeChanges changes : watched.getOrDefault(row.table(), List.of())) {
                changes.changed(row, number);
            }
        }
    }
}
