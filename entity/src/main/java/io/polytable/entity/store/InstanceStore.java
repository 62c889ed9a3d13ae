package io.polytable.entity.store;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.Permission;
import java.util.Optional;
import java.util.Set;

/**
 * The records and tables of one instance.
 *
 * <p>A table changes in four steps, each repeatable after a crash. {@link #check} refuses a layout that the store does
 * not support. {@link #prepare} creates what the new layout needs and keeps what the old one has. Then the library
 * makes the new layout current. Then {@link #trim} drops the parts that the layout lists as retired, and nothing else:
 * another process may be preparing the next layout meanwhile.
 */
public interface InstanceStore {
    StoreRecords records();

    /** The layouts in use in this process, shared by all users of the same instance of the same store. */
    LayoutBoard layouts();

    /** A dry run of {@link #prepare}, as far as its failures can be predicted. */
    default void check(TableLayout layout) {}

    void prepare(TableLayout layout);

    /** Drops the retired parts. Ids are never reused, so no later layout can need them. */
    void trim(TableLayout layout);

    void drop(TableLayout layout);

    /** Cells of a prepared table, under the ids of the layout. */
    StoredTable table(TableLayout layout);

    /**
     * Sets the user's permissions for the table or, without one, for the instance. A store with users enforces them
     * from here on; others leave that to the library.
     */
    default void permit(String user, Optional<String> table, Set<Permission> permissions) {}

    /**
     * Finishes the drop of a table: removes its permissions, which another table of its name must not inherit, and then
     * the record that says it is being dropped.
     */
    default void forget(String table) {
        records().withPrefix("grant/t/" + table + "/").keySet().forEach(records()::remove);
        records().remove("table/" + table);
    }
}
