package io.polytable.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.engine.EngineFixture;
import io.polytable.table.Bytes;
import io.polytable.table.Origin;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PartitionedFeedTest {
    private final Table table = new MemoryStore().create(EngineFixture.spec("t"));

    /** A partition in which something happens all the time, or that cannot be read. */
    private static class Partition implements ChangeFeed {
        private final Table table;
        private final boolean fails;

        Partition(Table table, boolean fails) {
            this.table = table;
            this.fails = fails;
        }

        @Override
        public List<Change> poll(int most, Duration wait) {
            if (most == 0) {
                return List.of();
            }
            if (fails) {
                throw new StoreException(StoreError.POSITION_EXPIRED, "gone");
            }
            Optional<Bytes> none = Optional.empty();
            return List.of(new Change(
                    Change.Kind.DELETE, table, Bytes.utf8("k"), none, none, none, Position.START, Origin.CLIENT, true));
        }

        @Override
        public void whenReady(Runnable action) {
            action.run();
        }

        @Override
        public Position position() {
            return Position.START;
        }

        @Override
        public void close() {}
    }

    @Test
    void aPartitionThatCannotBeReadIsToldOfBesideOneThatIsBusy() {
        PartitionedFeed feed = new PartitionedFeed(Position.START.parts(2));
        feed.add(0, new Partition(table, false));
        feed.add(1, new Partition(table, true));
        assertThat(feed.poll(10, Duration.ZERO)).hasSize(1);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> feed.poll(10, Duration.ZERO));
    }

    /** A partition that counts how often it is closed, and then fails. */
    private ChangeFeed failingToClose(AtomicInteger closed) {
        return new Partition(table, false) {
            @Override
            public void close() {
                closed.incrementAndGet();
                throw new StoreException(StoreError.IO, "The reader does not close");
            }
        };
    }

    @Test
    void aPartitionThatDoesNotCloseKeepsNoOtherOpen() {
        AtomicInteger closed = new AtomicInteger();
        PartitionedFeed feed = new PartitionedFeed(Position.START.parts(2));
        feed.add(0, failingToClose(closed));
        feed.add(1, failingToClose(closed));
        assertThatExceptionOfType(StoreException.class).isThrownBy(feed::close);
        assertThat(closed).hasValue(2);
    }
}
