package io.polytable.entity.store;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.Permission;
import java.util.Optional;
import java.util.Set;

/**
 * The records and tables of one instance.
 *
 * <p>A table changes in four steps, each of which may be repeated after a crash: {@link #check} refuses a layout that the
 * store cannot serve, {@link #prepare} makes what the new layout needs and keeps what the old one has, then the library makes
 * the new layout the current one, then {@link #trim} drops what the layout says is retired, and nothing else: another process
 * may be preparing the next layout meanwhile.
 */
public interface InstanceStore {
    StoreRecords records();

    /** Layouts that are in use in this process, shared by all who opened the same instance through the same store. */
    LayoutBoard layouts();

    /** Refuses what {@link #prepare} would, as far as that is known without trying it, and changes nothing. */
    default void check(TableLayout layout) {}

    void prepare(TableLayout layout);

    /** Drops the parts whose ids are retired. Ids are never used again, so no later layout can want them. */
    void trim(TableLayout layout);

    void drop(TableLayout layout);

    /** Cells of a prepared table, under the ids of the layout. */
    StoredTable table(TableLayout layout);

    /**
     * Makes these the user's permissions for the table itself or, without one, for the instance itself. A store that knows
     * users enforces them from here on; others leave that to the library.
     */
    default void permit(String user, Optional<String> table, Set<Permission> permissions) {}

    /**
     * Ends the drop of a table: forgets its permissions, lest another of its name has them, and then the record that says it is
     * being dropped.
     */
    default void forget(String table) {
        records().withPrefix("grant/t/" + table + "/").keySet().forEach(records()::remove);
        records().remove("table/" + table);
    }
}
