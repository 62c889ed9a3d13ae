package io.polytable.redis.model.stream;

import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes very many pending entries of one consumer. They are ordered by id, among those of other consumers; where
 * many of them are neighbours, one range delete replaces the single deletes. Entries delivered in one batch mostly are
 * neighbours, so few changes suffice where single deletes would not fit into a commit.
 */
final class PendingRuns {
    /** Shorter runs are deleted row by row: each range delete slows down the store's reads. */
    private static final int RANGE_MIN = 64;

    private final Elements rows;
    private final Bytes group;
    private final Bytes consumer;
    private final List<StreamId> run = new ArrayList<>();
    private @Nullable StreamId runEnd;
    private StreamId oldestKept = StreamId.MIN;

    private PendingRuns(Elements rows, Bytes group, Bytes consumer) {
        this.rows = rows;
        this.group = group;
        this.consumer = consumer;
    }

    /**
     * Takes and closes a cursor over all pending entries of the group; answers the oldest one that stays, the lowest
     * id for none.
     */
    static StreamId delete(Elements rows, Cursor all, Bytes group, Bytes consumer) {
        PendingRuns runs = new PendingRuns(rows, group, consumer);
        try (all) {
            while (all.next()) {
                // Slices: nothing of what is passed is kept, so it must not be charged as read.
                StreamId id = StreamRows.id(all.keySlice().toBytes());
                runs.pass(id, Pending.decode(id, all.valueSlice().toBytes()).consumer());
            }
        }
        runs.end();
        return runs.oldestKept;
    }

    private void pass(StreamId id, Bytes owner) {
        if (!owner.equals(consumer)) {
            end();
            oldestKept = oldestKept.equals(StreamId.MIN) ? id : oldestKept;
            return;
        }
        runEnd = id;
        if (run.size() < RANGE_MIN) {
            run.add(id);
        }
    }

    private void end() {
        StreamId last = runEnd;
        if (last != null && run.size() == RANGE_MIN) {
            Bytes end = last.next()
                    .map(next -> StreamRows.ofPending(group, next))
                    .orElseGet(() -> StreamRows.ofGroup(group).successorOfPrefix());
            rows.deleteRange(StreamRows.ofPending(group, run.get(0)), end);
        } else {
            run.forEach(id -> rows.delete(StreamRows.ofPending(group, id)));
        }
        run.clear();
        runEnd = null;
    }
}
