package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.store.log.LogProgress;
import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the engine learns of a Fluss that acknowledges slowly; nothing here may wait. */
@Timeout(60)
class SendQueueTest {
    private static final byte[] BIG = new byte[40 << 20];

    private final SendQueue queue = new SendQueue(new LogProgress(0, 0));
    private final List<RecordBatch> sent = new ArrayList<>();

    private void append() {
        RecordBatch batch = RecordBatches.of(sent.size() + 1, 0, List.of(BIG));
        sent.add(batch);
        queue.append(batch);
    }

    @Test
    void backPressureBeginsLongBeforeACommitIsRefused() {
        append();
        assertThat(queue.hasRoom()).isTrue();
        append();
        assertThat(queue.hasRoom()).isFalse();
        queue.requireRoom(BIG.length);
        queue.acknowledged(List.of(sent.get(0)));
        assertThat(queue.hasRoom()).isTrue();
    }

    @Test
    void aCommitBeyondTheLimitIsRefusedAtOnce() {
        while (sent.size() < 6) {
            queue.requireRoom(BIG.length);
            append();
        }
        assertThatThrownBy(() -> queue.requireRoom(BIG.length))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.error()).isEqualTo(StoreError.NO_ROOM));
        queue.abandon();
        queue.requireRoom(BIG.length);
    }

    /** One commit may be larger than the limit. */
    @Test
    void aCommitOfAnySizeFitsWhileFlussKeepsUp() {
        append();
        queue.requireRoom(1L << 30);
    }
}
