package io.polytable.server.assembly;

import io.polytable.redis.RdbFiles;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.rdb.RdbException;
import io.polytable.redis.model.rdb.RdbExport;
import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.server.run.RdbTransfer;
import io.polytable.server.run.RefusedException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** RDB files, with sentences for people. */
final class RedisFiles implements RdbTransfer {
    private final RdbFiles files;

    RedisFiles(RdbFiles files) {
        this.files = files;
    }

    @Override
    public String importFrom(Path file, Path notes, ImportOptions options, Progress progress) {
        try {
            RdbImport.Totals totals = files.importFrom(
                    file,
                    notes,
                    new RdbFiles.ImportOptions(options.skipsFunctions(), options.restarts()),
                    progress::at);
            return "Imported " + totals.keys() + " keys from " + file
                    + (totals.expired() == 0 ? "" : ", " + totals.expired() + " had expired")
                    + (totals.functions() == 0 ? "" : ", " + totals.functions() + " libraries of functions");
        } catch (RdbException | RedisError refused) {
            throw new RefusedException(file + " cannot be imported: " + refused.getMessage(), refused);
        } catch (IOException failure) {
            throw new RefusedException(file + " cannot be read: " + reason(failure), failure);
        }
    }

    @Override
    public String exportTo(Path file, Progress progress) {
        try {
            RdbExport.Summary summary = files.exportTo(file, progress::at);
            return "Exported " + summary.keys() + " keys to " + file + ", " + summary.bytes() + " bytes";
        } catch (IOException failure) {
            throw new RefusedException(file + " cannot be written: " + reason(failure), failure);
        }
    }

    private static String reason(IOException failure) {
        return failure instanceof NoSuchFileException ? "no such file or directory" : String.valueOf(failure);
    }

    @Override
    public void close() {
        files.close();
    }
}
