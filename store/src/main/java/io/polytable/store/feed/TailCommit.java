package io.polytable.store.feed;

import io.polytable.table.Change;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A commit, decoded.
 *
 * @param plain its changes, for who does not ask for old values
 * @param old the changes of tables whose old values somebody wants
 */
record TailCommit(long position, List<Change> plain, List<Change> old, long bytes) {
    static TailCommit of(long position, List<Change> plain, List<Change> old) {
        return new TailCommit(position, plain, old, CommitDecoder.bytesOf(plain) + CommitDecoder.bytesOf(old));
    }

    /** What of it concerns the tables; the list itself where all of it does. */
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
