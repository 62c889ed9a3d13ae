package io.polytable.redis.model.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import org.junit.jupiter.api.Test;

class SketchTest {
    private static final int SPARSE_BYTES_MAX = 3000;

    @Test
    void theServersOwnTestPasses() {
        assertThat(SelfTest.run()).isEmpty();
    }

    @Test
    void startsSparseAndBecomesDenseWhenTheBytesExceedTheLimit() {
        Sketch sketch = Sketch.empty(SPARSE_BYTES_MAX);
        assertThat(sketch.value().length()).isEqualTo(Sketch.HEADER_BYTES + 2);
        int added = 0;
        while (!sketch.isDense()) {
            boolean unused = sketch.add(Bytes.utf8("element:" + added++));
            assertThat(sketch.isDense() || sketch.value().length() <= SPARSE_BYTES_MAX)
                    .isTrue();
        }
        assertThat(sketch.value().length()).isEqualTo(Sketch.DENSE_BYTES);
        assertThat(sketch.estimate()).isBetween((long) (added * 0.95), (long) (added * 1.05));
    }

    @Test
    void sparseAndDenseCountAlike() {
        Sketch sparse = Sketch.empty(Integer.MAX_VALUE);
        Sketch dense = Sketch.empty(0);
        for (int i = 0; i < 3000; i++) {
            Bytes element = Bytes.utf8("e" + i % 1500);
            assertThat(sparse.add(element)).isEqualTo(dense.add(element));
        }
        assertThat(sparse.isDense()).isFalse();
        assertThat(dense.isDense()).isTrue();
        assertThat(sparse.estimate()).isEqualTo(dense.estimate());
    }

    @Test
    void refusesRunsThatAreNotAllRegisters() {
        byte[] bytes = Sketch.empty(SPARSE_BYTES_MAX).value().toByteArray();
        bytes[bytes.length - 1]--;
        assertThatThrownBy(() -> Sketch.of(Bytes.of(bytes), SPARSE_BYTES_MAX).estimate())
                .isInstanceOf(RedisError.class)
                .hasMessage("Corrupted HLL object detected");
    }
}
