package io.polytable.table;

/** The owner of a table whose rows expire, who keeps something of his own for each row, index entries for example. */
@FunctionalInterface
public interface ExpiryListener {
    /**
     * A row is over and about to be removed: adds to the batch what goes with it. The batch is committed as one.
     *
     * @param value as it was written
     */
    void removing(Bytes key, Bytes value, Batch batch);
}
