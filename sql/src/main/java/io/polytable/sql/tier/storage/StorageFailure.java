package io.polytable.sql.tier.storage;

import java.io.IOException;

/** A failed storage call: a job is retried later, a query fails. */
public final class StorageFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    private enum Kind {
        UNAVAILABLE,
        ABSENT,
        DAMAGED
    }

    public StorageFailure(String message, Throwable cause) {
        this(message, cause, Kind.UNAVAILABLE);
    }

    private StorageFailure(String message, Throwable cause, Kind kind) {
        super(message, cause);
        this.kind = kind;
    }

    static StorageFailure absent(String path, Throwable cause) {
        return new StorageFailure("There is no file " + path, cause, Kind.ABSENT);
    }

    /**
     * A file with other bytes than were written.
     *
     * @param difference the present and the expected value
     */
    public static StorageFailure damaged(String path, String difference) {
        return new StorageFailure(
                "A file differs from what its manifest says: " + path, new IOException(difference), Kind.DAMAGED);
    }

    /** Whether the cause is a missing file. */
    public boolean isAbsent() {
        return kind == Kind.ABSENT;
    }

    /** Whether the file is there, with other bytes than were written. */
    public boolean isDamaged() {
        return kind == Kind.DAMAGED;
    }
}
