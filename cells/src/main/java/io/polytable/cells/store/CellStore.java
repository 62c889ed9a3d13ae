package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.table.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tables of versioned cells, with the semantics of HBase and none of its types. It is what the HBase face serves and the
 * entity library writes to; implemented over the tables of this project, and over other stores by modules of their own.
 *
 * <ul>
 *   <li>Reads show, of each column, the newest versions that are neither masked by a delete, nor expired, nor beyond what
 *       the family keeps.
 *   <li>A delete masks by timestamp, not by order of writing: also a put that is written later with an older timestamp, until
 *       the marker is compacted away.
 *   <li>A row write is atomic where the store says {@link CellCapability#ATOMIC_ROWS}.
 *   <li>Definitions of tables change one at a time; those calls block until the change is kept.
 *   <li>Everything is safe for use by many threads, except scanners and filters.
 * </ul>
 *
 * <p>Refusals and failures are {@link CellException}s; what a store cannot do is not among its {@link #capabilities()} and
 * is refused with {@link CellError#NOT_CAPABLE}.
 */
public interface CellStore extends AutoCloseable {
    Set<CellCapability> capabilities();

    /** {@link CellError#TABLE_EXISTS} when there is a table of this name. */
    CellTable create(CellTableSpec spec);

    Optional<CellTable> find(TableName name);

    /** The table, or {@link CellError#NO_SUCH_TABLE}. */
    CellTable table(TableName name);

    /** All tables, by namespace and name. */
    List<CellTable> tables();

    /**
     * Gives the table of the spec's name that spec. Cells of families that it no longer has are gone, also when a family of
     * the same name comes again later. The layout cannot change.
     */
    CellTable alter(CellTableSpec spec);

    /** Drops the table with all its cells; its handles then refuse with {@link CellError#NO_SUCH_TABLE}. */
    void drop(TableName name);

    /** Drops all cells and keeps the definition. */
    CellTable truncate(TableName name);

    /** Creates a table with all cells, versions and markers that the other one has now. */
    CellTable copy(TableName source, TableName target);

    /** Saves a copy of the table as it is now under a name of its own. */
    SavedTable save(TableName table, String savedName);

    List<SavedTable> saved();

    /** Makes the table what the saved copy is, creating it where it is missing; the copy stays. */
    CellTable restore(String savedName, TableName table);

    void forget(String savedName);

    /**
     * Removes what no read can show: expired and masked cells, and versions beyond what families keep. Does all of it
     * before it returns; the store does the same by itself in the background, a little at a time.
     *
     * @param markers whether the delete markers go too; from then on older timestamps can be written again
     */
    void compact(TableName table, boolean markers);

    CellRecords records();

    @Override
    void close();
}
