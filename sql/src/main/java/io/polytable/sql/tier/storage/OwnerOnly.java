package io.polytable.sql.tier.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only the server's user can read: they hold the data of all users. */
final class OwnerOnly {
    private OwnerOnly() {}

    /** Creates an empty file and returns it; the permissions stay when it is written and renamed. */
    static Path created(Path file) {
        try {
            // Asks the kind of file system, not the mounted one: that would read the table of mounts for each file.
            boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] attributes = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
            return Files.createFile(file, attributes);
        } catch (IOException failure) {
            throw new StorageFailure("A file cannot be created: " + file + ": " + failure.getMessage(), failure);
        }
    }
}
