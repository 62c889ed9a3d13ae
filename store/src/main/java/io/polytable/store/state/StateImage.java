package io.polytable.store.state;

import io.polytable.store.directory.StoreDirectory;
import java.nio.file.Path;

/**
 * The files of the state at one position, in a temporary directory on its disk; closing deletes them.
 *
 * @param held the last commit that they include
 */
public record StateImage(Path path, State.Applied held) implements AutoCloseable {
    @Override
    public void close() {
        StoreDirectory.deleteTree(path);
    }
}
