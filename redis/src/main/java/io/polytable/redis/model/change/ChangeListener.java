package io.polytable.redis.model.change;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import java.util.List;

/**
 * A listener for changes of keys. It runs on the thread that committed, which still holds the stripes of all changed
 * keys. So the changes of one key arrive in commit order, and a listener must be quick, must not block and must not
 * take stripes. An exception it throws is logged; the commit stands.
 */
public interface ChangeListener {
    /** A unit of work was committed; it is visible to readers and may not be durable yet. */
    void committed(Unit unit);

    /** A reading command missed the key. Called only while a subscription wants misses. */
    default void missed(int database, Bytes key, Origin origin) {}

    /**
     * The changes of one unit of work: one command, or one transaction.
     *
     * @param changes in the order they were made, at least one; never changes after this call
     * @param commit says when the unit is durable
     */
    record Unit(List<Change> changes, Origin origin, Commit commit) {}
}
