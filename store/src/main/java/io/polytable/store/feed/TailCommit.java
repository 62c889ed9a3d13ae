package io.polytable.store.feed;

import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A decoded commit.
 *
 * @param plain its changes without old values
 * @param old its changes with old values, of the tables where a feed wants them
 */
record TailCommit(long position, List<Change> plain, List<Change> old, long bytes) {
    static TailCommit of(long position, List<Change> plain, List<Change> old) {
        return new TailCommit(position, plain, old, CommitDecoder.bytesOf(plain) + CommitDecoder.bytesOf(old));
    }

    /** Its changes to the given tables; the list itself if that is all of them. */
    List<Change> of(Map<Integer, Table> tables, boolean withOld) {
        List<Change> all = withOld ? old : plain;
        if (all.stream().allMatch(change -> tables.containsKey(change.table().id()))) {
            return all;
        }
        List<Change> some = new ArrayList<>();
        for (Change change : all) {
            if (tables.containsKey(change.table().id())) {
                some.add(change.at(change.position(), false));
            }
        }
        return CommitDecoder.ended(some);
    }
}
