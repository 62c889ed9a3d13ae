package io.polytable.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.memory.RowMemory.Found;
import io.polytable.store.memory.RowMemory.Known;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import io.polytable.table.write.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What happens right after a reader looked into the index, and before it makes up its mind. {@link LockFreeReadTest} finds
 * the same by chance; here it happens each time.
 */
class ReadInterleavingTest {
    private static final Table TABLE = TestTable.numbered(3);
    private static final Bytes KEY = Bytes.utf8("k");
    private static final Bytes OLD = Bytes.utf8("old");
    private static final KeyRange AROUND_KEY = KeyRange.between(Bytes.utf8("a"), Bytes.utf8("z"));

    private final RowMemory memory = new RowMemory(64 << 20, Addresses.DEFAULT, PausedIndex::new);
    private final List<Long> shownAtPut = new ArrayList<>();
    private Runnable afterFind = () -> {};
    private long position;

    /** Runs something once between a look-up and its caller; and notes what was announced when a row could first be seen. */
    private final class PausedIndex extends RowIndex {
        PausedIndex(Arena arena, long budgetBytes) {
            super(arena, budgetBytes);
        }

        @Override
        long find(long hash, int table, byte[] key, int offset, int length) {
            long found = super.find(hash, table, key, offset, length);
            Runnable action = afterFind;
            afterFind = () -> {};
            action.run();
            return found;
        }

        @Override
        long put(long hash, long place, EncodedRow row) {
            shownAtPut.add(memory.newestShown());
            return super.put(hash, place, row);
        }
    }

    @Test
    void aWarmUpThatEndsMeanwhileDoesNotHideARowOfTheState() {
        afterFind = () -> {
            assertThat(memory.fill(memory.fillStamp(), TABLE, KEY, Optional.of(OLD)))
                    .isTrue();
            memory.markWhole(TABLE.id());
        };
        assertThat(memory.find(TABLE.id(), KEY).known()).isEqualTo(Known.NOTHING);
        assertThat(memory.find(TABLE.id(), KEY).known()).isEqualTo(Known.PRESENT);
    }

    @Test
    void anAnswerOfTheStateIsNotKeptOnceARangeDeleteCameInBetween() {
        afterFind = () -> commit(new Batch().deleteRange(TABLE, AROUND_KEY));
        Found found = memory.find(TABLE.id(), KEY);
        assertThat(found.known()).isEqualTo(Known.NOTHING);
        assertThat(memory.fill(found.stamp(), TABLE, KEY, Optional.of(OLD))).isFalse();
        assertThat(memory.find(TABLE.id(), KEY).known()).isEqualTo(Known.ABSENT);
    }

    @Test
    void aDeletedRowIsNotShownBecauseANewerOneIsThere() {
        commit(put(OLD));
        commit(new Batch().deleteRange(TABLE, AROUND_KEY));
        afterFind = () -> commit(put(Bytes.utf8("new")));
        assertThat(memory.find(TABLE.id(), KEY).value()).isNotEqualTo(OLD);
        assertThat(memory.find(TABLE.id(), KEY).value()).isEqualTo(Bytes.utf8("new"));
    }

    @Test
    void noRowIsShownBeforeItsPosition() {
        commit(put(OLD));
        commit(put(OLD).put(TABLE, RowKey.whole(Bytes.utf8("other")), OLD));
        memory.replay(new byte[0], 0, 0, ++position, 0);
        assertThat(shownAtPut).containsExactly(1L, 2L, 2L);
        assertThat(memory.newestShown()).isEqualTo(3);
    }

    private static Batch put(Bytes value) {
        return new Batch().put(TABLE, RowKey.whole(KEY), value);
    }

    private void commit(Batch batch) {
        memory.append(batch, ++position, 0);
    }
}
