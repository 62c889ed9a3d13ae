package io.polytable.sql.tier.storage;

/** A failed storage call: a job is retried later, a query fails. */
public final class StorageFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean absent;

    public StorageFailure(String message, Throwable cause) {
        this(message, cause, false);
    }

    private StorageFailure(String message, Throwable cause, boolean absent) {
        super(message, cause);
        this.absent = absent;
    }

    static StorageFailure absent(String path, Throwable cause) {
        return new StorageFailure("There is no file " + path, cause, true);
    }

    /** Whether the cause is a missing file. */
    public boolean isAbsent() {
        return absent;
    }
}
