package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.Environment;
import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.Floor;
import io.polytable.store.fluss.ownership.LogKey;
import io.polytable.store.fluss.ownership.LogRow;
import io.polytable.store.fluss.ownership.Ownership;
import io.polytable.store.fluss.ownership.RowSpan;
import io.polytable.store.fluss.ownership.Takeover;
import io.polytable.store.fluss.ownership.UnremovedRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trim that is cut off by a kill, at every write that it consists of: no row is lost, and none is left forever. */
class LogTrimmerTest {
    private static final Duration LONG = Duration.ofDays(1000);
    private static final long CHECKPOINT = 77;

    /** How many rows each of three owners writes. */
    private static final List<Integer> ROWS = List.of(3, 1, 4);

    private static final int ALL_ROWS = 8;

    private final Environment environment = RowsInMemory.environment();
    private final RowsInMemory rows = new RowsInMemory();
    private final List<LogKey> written = new ArrayList<>();

    /** A server that owns the log; what it does is what {@link FlussLog} and {@link RowSender} do. */
    private final class Owner {
        private final Ownership won =
                Takeover.win(rows, new Takeover.Terms(Duration.ofSeconds(10), LONG, Optional.empty()), environment);
        private final PositionIndex index = new PositionIndex(rows, won.chain(), won.own(), environment, LONG);
        private final FencedWriter writer = new FencedWriter(rows, won, environment, LONG);
        private final LogTrimmer trimmer = new LogTrimmer(index, writer);

        Owner() {
            trimmer.finish(UnremovedRows.below(rows, firstRow()));
        }

        LogKey firstRow() {
            RowSpan oldest = index.all().get(0);
            return oldest.key(oldest.firstSeq());
        }

        void append() {
            RowSpan own = index.own();
            long position = own.lastPosition() + 1;
            LogKey key = own.key(own.lastSeq() + 1);
            LogRow row = new LogRow(
                    key, writer.expected(), position, position, 0, own.bytesBehind(), 0, new byte[] {(byte) position});
            writer.write(List.of(row));
            index.grow(row, row);
            written.add(key);
        }

        void trim(long position) {
            LogKey key = index.find(position).orElseThrow().key();
            var unused = trimmer.trim(Floor.at(index.rows().read(key), CHECKPOINT));
            removeAll();
        }

        void removeAll() {
            while (!trimmer.isIdle()) {
                trimmer.step();
            }
        }

        List<Long> positions() {
            List<Long> found = new ArrayList<>();
            for (long at = index.first(); at <= index.own().lastPosition(); at++) {
                LogRow row = index.rows().read(index.find(at).orElseThrow().key());
                assertThat(row.body()).containsExactly((byte) at);
                found.add(at);
            }
            return found;
        }
    }

    private Owner threeOwners() {
        Owner last = new Owner();
        for (int i = 0; i < ROWS.size(); i++) {
            last = i == 0 ? last : new Owner();
            for (int row = 0; row < ROWS.get(i); row++) {
                last.append();
            }
        }
        return last;
    }

    private static boolean isKilled(Runnable action) {
        try {
            action.run();
            return false;
        } catch (RowsInMemory.Killed e) {
            return true;
        }
    }

    private void assertHoldsJust(Owner owner, long from) {
        assertThat(owner.index.first()).isEqualTo(from);
        assertThat(owner.positions()).hasSize((int) (ALL_ROWS - from + 1));
        assertThat(owner.won.chain().checkpoint()).isEqualTo(from == 1 ? 0 : CHECKPOINT);
        assertThat(rows.keys()).filteredOn(key -> key.seq() > 0).hasSameElementsAs(written.subList((int) from - 1, 8));
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8})
    void whatAKilledOwnerDidNotRemoveTheNextOneDoes(long floor) {
        for (int kill = 0; kill <= floor; kill++) {
            for (int killAgain = 0; killAgain <= floor; killAgain++) {
                new LogTrimmerTest().killTwice(floor, kill, killAgain);
            }
        }
    }

    private void killTwice(long floor, int kill, int killAgain) {
        Owner trimming = threeOwners();
        rows.killAfter(kill);
        boolean isKilled = isKilled(() -> trimming.trim(floor));
        assertThat(isKilled).isEqualTo(kill < floor);
        rows.revive();
        Owner second = new Owner();
        rows.killAfter(killAgain);
        isKilled(second::removeAll);
        rows.revive();
        Owner third = new Owner();
        third.removeAll();
        assertHoldsJust(third, kill == 0 ? 1 : floor);
    }

    @Test
    void aSecondTrimLeavesNothingOfTheFirst() {
        Owner trimming = threeOwners();
        rows.killAfter(2);
        assertThat(isKilled(() -> trimming.trim(5))).isTrue();
        rows.revive();
        new Owner().trim(7);
        assertHoldsJust(new Owner(), 7);
    }

    /** Whoever opens a log that was trimmed to the end looks at the row below the first, and that is all. */
    @Test
    void aLogOfWhichNothingIsLeftCostsOneLook() {
        threeOwners().trim(8);
        LogKey first = new Owner().firstRow();
        int before = rows.reads();
        assertThat(UnremovedRows.below(rows, first).hasNext()).isFalse();
        assertThat(rows.reads()).isEqualTo(before + 1);
    }
}
