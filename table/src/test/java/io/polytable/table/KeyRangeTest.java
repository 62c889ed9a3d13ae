package io.polytable.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class KeyRangeTest {
    private static Bytes b(String text) {
        return Bytes.utf8(text);
    }

    @Test
    void theLowerBoundIsInAndTheUpperIsNot() {
        KeyRange range = KeyRange.between(b("b"), b("d"));
        assertThat(range.contains(b("a"))).isFalse();
        assertThat(range.contains(b("b"))).isTrue();
        assertThat(range.contains(b("czz"))).isTrue();
        assertThat(range.contains(b("d"))).isFalse();
        assertThat(range.isEmpty()).isFalse();
    }

    @Test
    void withoutAnUpperBoundThereIsNoEnd() {
        assertThat(KeyRange.ALL.contains(Bytes.EMPTY)).isTrue();
        assertThat(KeyRange.ALL.contains(Bytes.of(new byte[] {(byte) 0xff, (byte) 0xff})))
                .isTrue();
        assertThat(KeyRange.ALL.isEmpty()).isFalse();
    }

    @Test
    void aRangeWhoseEndsMeetOrCrossIsEmpty() {
        assertThat(KeyRange.between(b("b"), b("b")).isEmpty()).isTrue();
        assertThat(KeyRange.between(b("c"), b("b")).isEmpty()).isTrue();
    }

    @Test
    void aRangeInAPartitionStaysThere() {
        KeyRange range = KeyRange.inPartition(b("p/x"), 2);
        assertThat(range.partition()).isEqualTo(b("p/"));
        assertThat(new KeyRange(b("p/"), b("p0"), 2)).isEqualTo(KeyRange.partition(b("p/")));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyRange(b("p/"), b("p1"), 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyRange(b("p/"), Bytes.EMPTY, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyRange(b("p"), b("q"), 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyRange(b("p"), b("q"), -1));
    }

    @Test
    void theLastPartitionHasNoUpperBound() {
        Bytes last = Bytes.of(new byte[] {(byte) 0xff});
        assertThat(KeyRange.partition(last).to()).isEqualTo(Bytes.EMPTY);
        assertThat(KeyRange.partition(last).contains(last.concat(last))).isTrue();
    }

    @Test
    void aRowKeyKnowsItsPartition() {
        assertThat(new RowKey(b("p/x"), 2).partition()).isEqualTo(b("p/"));
        assertThat(RowKey.whole(b("p")).partition()).isEqualTo(b("p"));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowKey(b("p"), 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowKey(b("p"), -1));
    }
}
