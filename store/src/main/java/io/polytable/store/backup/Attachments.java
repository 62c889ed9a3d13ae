package io.polytable.store.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Files outside the store that rows of the store name: a backup of the store without them would not be complete. */
public interface Attachments {
    /** For a store whose rows name no files. */
    Attachments NONE = capture -> {
        capture.run();
        return new Held() {
            @Override
            public List<AttachedFile> files() {
                return List.of();
            }

            @Override
            public Map<String, Path> bases() {
                return Map.of();
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    };

    /**
     * Runs the capture of the store and holds the files that the captured rows name: none of them is deleted until the
     * result is closed.
     */
    Held capture(Runnable store);

    /** Files that are held until this is closed. */
    interface Held extends AutoCloseable {
        List<AttachedFile> files();

        /** The directories of the storages whose files are local, by the storage's name. */
        Map<String, Path> bases();

        @Override
        void close();
    }
}
