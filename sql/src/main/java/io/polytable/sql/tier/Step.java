package io.polytable.sql.tier;

/** The steps of a flush or a compaction, in their order, and of removals: a process may end after any of them. */
public enum Step {
    SNAPSHOT_TAKEN,
    FILE_WRITTEN,
    FILE_PUBLISHED,
    MANIFEST_WRITTEN,
    MANIFEST_COMMITTED,
    ROWS_PARTLY_DELETED,
    ROWS_DELETED,

    /** A file that nobody needs any more, or one of a dropped table. */
    FILE_REMOVED;

    /** Told of each step when it is done; tests end the process there. */
    public interface Listener {
        void reached(Step step);
    }
}
