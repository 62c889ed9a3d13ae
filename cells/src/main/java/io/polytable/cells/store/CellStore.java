package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.RowRange;
import io.polytable.table.TableName;
import java.util.List;
import java.util.Optional;

/**
 * A store of wide-column tables with HBase's semantics and none of its types. The HBase frontend serves it and the entity
 * library writes to it. The implementation here uses our tables; other modules may implement it over other stores.
 *
 * <ul>
 *   <li>A read returns each column's newest versions that are not masked by a delete, not expired, and within the
 *       number of versions that the family keeps.
 *   <li>A delete masks by timestamp, not by order of writing. It also masks a later put with an older timestamp, until
 *       the marker is compacted away.
 *   <li>A row write is atomic: all its edits are applied or none, and its conditions are checked with them.
 *   <li>Table definitions change one at a time; those calls block until the change is durable.
 *   <li>Everything is thread-safe except scanners and filters.
 * </ul>
 *
 * <p>Refusals and failures are {@link CellException}s.
 */
public interface CellStore extends AutoCloseable {
    /** {@link CellError#TABLE_EXISTS} if the name is taken. */
    CellTable create(CellTableSpec spec);

    Optional<CellTable> find(TableName name);

    /** The table, or {@link CellError#NO_SUCH_TABLE}. */
    CellTable table(TableName name);

    /** All tables, by namespace and name. */
    List<CellTable> tables();

    /**
     * Replaces the specification of the table with the spec's name. The cells of removed families are deleted and stay
     * deleted if a family of the same name is added later.
     */
    CellTable alter(CellTableSpec spec);

    /** Drops the table and its cells; its handles then fail with {@link CellError#NO_SUCH_TABLE}. */
    void drop(TableName name);

    /** Drops all cells and keeps the definition. */
    CellTable truncate(TableName name);

    /**
     * Drops all cells of a range of rows. Returns when that is durable; if it fails, some of the rows may be gone. What
     * is written to these rows meanwhile may stay.
     */
    void truncate(TableName name, RowRange range);

    /** Creates a table with all current cells, versions and markers of the source. */
    CellTable copy(TableName source, TableName target);

    /** Saves a copy of the table's current state under a name. */
    SavedTable save(TableName table, String savedName);

    List<SavedTable> saved();

    /**
     * Replaces the table's content and specification by the saved copy's, creating the table if missing; the copy
     * stays.
     */
    CellTable restore(String savedName, TableName table);

    void forget(String savedName);

    /**
     * Removes stored cells that no read can return: expired, masked, and versions beyond what the family keeps. Blocks
     * until the whole table is done; the background compaction does the same in small steps.
     *
     * @param markers whether to remove delete markers too; from then on puts with older timestamps are visible again
     */
    void compact(TableName table, boolean markers);

    CellRecords records();

    @Override
    void close();
}
