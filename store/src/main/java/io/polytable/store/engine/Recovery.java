package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.store.state.State;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.write.EncodedRow;
import java.util.Map;
import java.util.Set;

/** Crash recovery: replays what the state lacks from the log, as if it were committed again. */
public final class Recovery {
    private static final long REPORT_EVERY = 1 << 16;

    private final CommitLog log;
    private final State state;
    private final Appender appender;
    private final Applier applier;
    private final Catalog catalog;
    private final EncodedRow row = new EncodedRow();

    /** Reports the progress of the replay. */
    public interface Progress {
        Progress NONE = (done, all) -> {};

        void replayed(long done, long all);
    }

    Recovery(CommitLog log, State state, Appender appender, Applier applier, Catalog catalog) {
        this.log = log;
        this.state = state;
        this.appender = appender;
        this.applier = applier;
        this.catalog = catalog;
    }

    void run(Progress progress) {
        long from = state.applied().position();
        long end = log.end();
        if (from > end) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The state is ahead of the log: log files are missing",
                    Map.of("state", from, "log", end));
        }
        if (from + 1 < log.first()) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The log no longer holds what the state lacks: log files are missing",
                    Map.of("state", from, "log", log.first()));
        }
        if (from < end) {
            replay(from, end, progress);
        }
        dropOrphans();
    }

    private void replay(long from, long end, Progress progress) {
        try (LogReader reader = log.read(from + 1)) {
            for (long done = from; done < end && reader.next(); done++) {
                replayRecord(reader);
                applier.admitReplay();
                if (done % REPORT_EVERY == 0) {
                    progress.replayed(done - from, end - from);
                }
            }
        }
        progress.replayed(end - from, end - from);
    }

    private void replayRecord(LogReader reader) {
        int last = reader.offset() + reader.length();
        for (int at = reader.offset(); at < last; at = row.end()) {
            row.moveTo(reader.array(), at);
            // A state far behind the log still has the family of a table that was since dropped and created again.
            drop(catalog.leftBehind(row), reader.position() - 1);
            catalog.replay(row);
        }
        appender.replay(reader.array(), reader.offset(), reader.length(), reader.position(), reader.ticket());
    }

    private void dropOrphans() {
        if (state.readOnly().isPresent()) {
            // Nothing refers to them; the next start drops them.
            return;
        }
        drop(catalog.orphans(), log.end());
    }

    /**
     * Drops families only after the state has flushed everything replayed: no later replay may meet rows of a dropped
     * family.
     */
    private void drop(Set<String> families, long replayed) {
        if (families.isEmpty()) {
            return;
        }
        applier.drain(replayed);
        state.flush();
        families.forEach(state::drop);
    }
}
