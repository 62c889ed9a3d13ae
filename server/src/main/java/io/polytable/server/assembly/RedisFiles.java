package io.polytable.server.assembly;

import io.polytable.frontend.Progress;
import io.polytable.redis.RdbFiles;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.rdb.RdbException;
import io.polytable.redis.model.rdb.RdbExport;
import io.polytable.redis.model.rdb.RdbImport;
import io.polytable.redis.move.LiveImport;
import io.polytable.redis.move.VerificationReport;
import io.polytable.server.run.RdbTransfer;
import io.polytable.server.run.RefusedException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** RDB files, with sentences for people. */
final class RedisFiles implements RdbTransfer {
    private final RdbFiles files;
    private final Optional<LiveImport> live;

    /** @param live of the running frontend, if there is one */
    RedisFiles(RdbFiles files, Optional<LiveImport> live) {
        this.files = files;
        this.live = live;
    }

    @Override
    public String importLive(LiveSource source, LiveMode mode, Path notes, Progress progress) {
        LiveImport moves = live.orElseThrow(() -> new RefusedException("Only a running server imports from a Redis"));
        LiveImport.Source from = new LiveImport.Source(source.host(), source.port());
        try {
            VerificationReport report = switch (mode) {
                case FOLLOW -> moves.follow(from, false, progress);
                case REPLACE -> moves.follow(from, true, progress);
                case CUT_OVER -> moves.cutOver(from, true, progress);
                case CUT_OVER_STOPPED -> moves.cutOver(from, false, progress);
                case COPY -> moves.copy(from, notes, progress);
            };
            if (!report.isSame()) {
                throw new RefusedException(report.sentence());
            }
            return report.sentence() + outcome(mode, from);
        } catch (RedisError refused) {
            throw new RefusedException(String.valueOf(refused.getMessage()), refused);
        } catch (IOException failure) {
            throw new RefusedException(from + " cannot be read: " + reason(failure), failure);
        }
    }

    private static String outcome(LiveMode mode, LiveImport.Source from) {
        return switch (mode) {
            case FOLLOW, REPLACE -> "; this server is a replica of " + from + " until --cut-over";
            case CUT_OVER, CUT_OVER_STOPPED -> "; this server is a primary now";
            case COPY -> "; copied from " + from;
        };
    }

    @Override
    public String importFrom(Path file, Path notes, ImportOptions options, Progress progress) {
        try {
            RdbImport.Totals totals = files.importFrom(
                    file, notes, new RdbFiles.ImportOptions(options.skipsFunctions(), options.restarts()), progress);
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
            RdbExport.Summary summary = files.exportTo(file, progress);
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
