package io.polytable.redis.model.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.limit.Budget;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListBlocksTest {
    private static final List<Bytes> VALUES = List.of(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.utf8("c"));

    private final ListBlocks blocks = new ListBlocks(Budget.of("lists", 1 << 20));

    private List<Bytes> kept(long list, long from, long to) {
        List<Bytes> values = new ArrayList<>();
        long bytes = blocks.addTo(values, list, from, to);
        assertThat(bytes != ListBlocks.NOT_KEPT).isEqualTo(!values.isEmpty());
        return values;
    }

    @Test
    void answersForPositionsThatAreAllKept() {
        blocks.keep(7, -3, VALUES);
        assertThat(kept(7, -3, 0)).isEqualTo(VALUES);
        assertThat(kept(7, -2, -1)).isEqualTo(VALUES.subList(1, 2));
        assertThat(kept(7, -4, -1)).isEmpty();
        assertThat(kept(7, 0, 1)).isEmpty();
        assertThat(kept(8, -3, 0)).isEmpty();
    }

    @Test
    void forgetsABlockWithAnyOfItsElements() {
        blocks.keep(7, 0, VALUES);
        blocks.drop(7, 64);
        blocks.drop(8, 0);
        assertThat(kept(7, 0, 3)).isEqualTo(VALUES);
        blocks.drop(7, 3);
        assertThat(kept(7, 0, 3)).isEqualTo(VALUES);
        blocks.drop(7, 2);
        assertThat(kept(7, 0, 3)).isEmpty();
    }

    @Test
    void forgetsAListWhole() {
        blocks.keep(7, 0, VALUES);
        blocks.keep(7, 64, VALUES);
        blocks.keep(8, 0, VALUES);
        blocks.drop(7);
        assertThat(kept(7, 0, 3)).isEmpty();
        assertThat(kept(7, 64, 67)).isEmpty();
        assertThat(kept(8, 0, 3)).isEqualTo(VALUES);
    }

    @Test
    void keepsNoBlockThatIsTooLarge() {
        int most = (16 << 10) - Integer.BYTES;
        blocks.keep(7, 0, List.of(Bytes.of(new byte[most])));
        assertThat(kept(7, 0, 1)).hasSize(1);
        blocks.keep(7, 64, List.of(Bytes.of(new byte[most + 1])));
        assertThat(kept(7, 64, 65)).isEmpty();
    }

    @Test
    void startsBlocksAtMultiplesAlsoBelowZero() {
        assertThat(ListBlocks.startOf(0)).isZero();
        assertThat(ListBlocks.startOf(63)).isZero();
        assertThat(ListBlocks.startOf(-1)).isEqualTo(-64);
        assertThat(ListBlocks.startOf(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    }
}
