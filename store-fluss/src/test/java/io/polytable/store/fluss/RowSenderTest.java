package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.Chain;
import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.LogRows;
import io.polytable.store.fluss.ownership.Ownership;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.store.log.LogProgress;
import io.polytable.store.log.RecordBatches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the owner's writing thread does when it has several things to do. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RowSenderTest {
    private static final int SENDS = 1000;
    private static final RowSpan FORMER = new RowSpan(1, 7, 1, 500, 1, 500, 0, 500, 0);
    private static final RowSpan OWN = new RowSpan(2, 8, 1, 0, 501, 500, 500, 500, 0);

    private final LogProgress progress = new LogProgress(500, 0);
    private final SendQueue queue = new SendQueue(progress);
    private final Table table = new Table();
    private final Chain chain = new Chain(1, Chain.Start.NOTHING, 0, List.of(FORMER));
    private final PositionIndex index =
            new PositionIndex(table, chain, OWN, Environment.system(Optional.empty()), Duration.ofSeconds(10));
    private final Environment environment = Environment.system(Optional.empty());
    private final Ownership won = new Ownership(chain, OWN, 0, environment.now());
    private final FencedWriter writer = new FencedWriter(table, won, environment, Duration.ofSeconds(10));
    private final LogTrimmer trimmer = new LogTrimmer(index, writer);
    private final Lease lease = new Lease(writer, won, Duration.ofHours(1), environment::now);
    private final RowSender sender = new RowSender(queue, writer, lease, trimmer, progress, index);

    /** Where every write lands at once, and where more is there to write whenever something was written. */
    private final class Table implements LogRows {
        private final List<LogKey> removed = new ArrayList<>();
        private final CompletableFuture<Integer> removedUnderLoad = new CompletableFuture<>();
        private int sends;
        private long offset;

        void appendNext() {
            long position = 501L + sends++;
            queue.append(RecordBatches.of(position, 0, List.of(RecordBatches.padded("r"))));
        }

        @Override
        public long write(List<LogRow> rows) {
            if (rows.get(0).key().seq() > 0 && sends < SENDS) {
                appendNext();
            } else if (sends == SENDS) {
                removedUnderLoad.complete(removed.size());
            }
            return offset += rows.size();
        }

        @Override
        public long remove(List<LogKey> keys) {
            removed.addAll(keys);
            return offset += keys.size();
        }

        @Override
        public String name() {
            return "rows";
        }

        @Override
        public long latestOffset() {
            return offset;
        }

        @Override
        public Optional<LogRow> read(LogKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Optional<LogRow>> readAll(List<LogKey> keys) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void announce(long epoch, long owner) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Long> candidates(long epoch) {
            throw new UnsupportedOperationException();
        }
    }

    /** Without it no checkpoint ends while the load lasts, and the log grows forever. */
    @Test
    void trimsTheLogUnderALoadThatNeverPauses() throws Exception {
        CompletableFuture<Void> announced = trimmer.trim(new Floor(FORMER.key(400), 400, 399, 5));
        table.appendNext();
        sender.start();
        assertThat(table.removedUnderLoad.get()).isEqualTo(399);
        assertThat(announced).isCompleted();
        sender.close();
        assertThat(progress.acknowledged()).isEqualTo(500 + SENDS);
        assertThat(progress.failed()).isFalse();
    }
}
