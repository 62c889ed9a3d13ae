package io.polytable.store.backup;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that rows of the store name.
 *
 * @param path the path within its storage, with slashes
 * @param bytes its length according to the rows
 * @param sha256 its checksum in hexadecimal digits, if the rows have it
 */
public record AttachedFile(String storage, String path, long bytes, Optional<String> sha256, Source source) {
    /** Where the bytes are. */
    public sealed interface Source {
        /** A file on this machine, which never changes. */
        record Local(Path file) implements Source {}

        /** Text that the backup writes. */
        record Text(String content) implements Source {}

        /**
         * A file in an object storage, which the backup only names.
         *
         * @param problem why the storage could not be asked for the file, if so
         */
        record Remote(Optional<String> etag, Optional<String> version, Optional<String> problem) implements Source {}
    }
}
