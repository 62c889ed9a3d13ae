package io.polytable.sql.tier.storage;

/** The storage did not do what it was asked: a job tries again later, a query ends. */
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

    /** Whether the file is simply not there. */
    public boolean isAbsent() {
        return absent;
    }
}
