package io.polytable.sql.tier;

/** The steps of a flush or a compaction in order, and of deletes: a process may crash after any of them. */
public enum Step {
    SNAPSHOT_TAKEN,
    FILE_WRITTEN,
    FILE_PUBLISHED,
    MANIFEST_WRITTEN,
    MANIFEST_COMMITTED,
    ROWS_PARTLY_DELETED,
    ROWS_DELETED,

    /** An expired file, or one of a dropped table. */
    FILE_REMOVED;

    /** Called after each step; tests end the process there. */
    public interface Listener {
        void reached(Step step);
    }
}
