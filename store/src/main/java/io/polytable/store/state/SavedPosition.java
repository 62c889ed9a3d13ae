package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads the position of a state on disk without opening its tables. */
public final class SavedPosition {
    private static final int OPEN_FILES_MAX = 16;

    private SavedPosition() {}

    /** The position of the state in a directory, which must not be open; zero if there is no state. */
    public static State.Applied of(Path directory) {
        if (!Files.exists(directory.resolve("CURRENT"))) {
            return State.Applied.NOTHING;
        }
        try {
            NativeLibrary.load(directory);
            try (Options options = new Options().setMaxOpenFiles(OPEN_FILES_MAX);
                    RocksDB database = RocksDB.openReadOnly(options, directory.toString())) {
                byte[] value = database.get(State.POSITION_KEY);
                return value == null ? State.Applied.NOTHING : State.Applied.decode(value);
            }
        } catch (RocksDBException | IOException e) {
            throw new StoreException(StoreError.IO, "Cannot read the state's position", Map.of("path", directory), e);
        }
    }
}
