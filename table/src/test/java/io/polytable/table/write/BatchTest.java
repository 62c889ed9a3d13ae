package io.polytable.table.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Limits;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final Table ONE = new NamedTable(1);
    private static final Table FAR = new NamedTable(300);

    private static RowKey key(String text) {
        return new RowKey(Bytes.utf8(text), 1);
    }

    /** Every change as text, read row by row. */
    private static List<String> rows(Batch batch) {
        List<String> rows = new ArrayList<>();
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < batch.size(); i++) {
            rows.add(show(batch.row(row, i)));
        }
        return rows;
    }

    private static String show(EncodedRow row) {
        String op = switch (row.op()) {
            case EncodedRow.PUT -> "put";
            case EncodedRow.DELETE -> "delete";
            case EncodedRow.DELETE_RANGE -> "range";
            default -> throw new AssertionError("unknown operation " + row.op());
        };
        return "%s %d %s %s"
                .formatted(op, row.table(), row.key().utf8(), row.value().utf8());
    }

    /** Every change as text, read from the bytes that go into the log. */
    private static List<String> logged(Batch batch) {
        byte[] bytes = new byte[(int) batch.sizeBytes() + 8];
        batch.copyTo(bytes, 8);
        List<String> rows = new ArrayList<>();
        EncodedRow row = new EncodedRow();
        for (int at = 8; at < bytes.length; at = row.end()) {
            assertThat(at % 4).isZero();
            rows.add(show(row.moveTo(bytes, at)));
        }
        return rows;
    }

    @Test
    void changesComeInTheirOrder() {
        Batch batch = new Batch()
                .put(ONE, key("a"), Bytes.utf8("1"))
                .delete(FAR, key("b"))
                .put(ONE, key("c"), Bytes.utf8("head "), Bytes.utf8("tail"));
        assertThat(rows(batch)).containsExactly("put 1 a 1", "delete 300 b ", "put 1 c head tail");
        assertThat(logged(batch)).isEqualTo(rows(batch));
        assertThat(batch.row(new EncodedRow(), 0).partitionLength()).isEqualTo(1);
    }

    @Test
    void rangeDeletesStandWhereTheyCame() {
        Batch batch = new Batch()
                .put(ONE, key("a1"), Bytes.utf8("gone"))
                .put(FAR, key("a1"), Bytes.utf8("another table"))
                .put(ONE, key("b1"), Bytes.utf8("outside"))
                .deleteRange(ONE, KeyRange.partition(Bytes.utf8("a")))
                .put(ONE, key("a1"), Bytes.utf8("newer"))
                .deleteRange(ONE, KeyRange.between(Bytes.utf8("x"), Bytes.EMPTY));
        assertThat(rows(batch))
                .containsExactly(
                        "put 1 a1 gone",
                        "put 300 a1 another table",
                        "put 1 b1 outside",
                        "range 1 a b",
                        "put 1 a1 newer",
                        "range 1 x ");
        assertThat(batch.rangeDeletes()).isEqualTo(2);
        assertThat(logged(batch)).isEqualTo(rows(batch));
    }

    @Test
    void whatIsTakenBackLeavesNoTrace() {
        Batch batch = new Batch().put(ONE, key("a"), Bytes.utf8("1")).deleteRange(ONE, KeyRange.ALL);
        long size = batch.sizeBytes();
        batch.put(ONE, key("b"), Bytes.utf8("longer than what comes later")).deleteRange(FAR, KeyRange.ALL);
        batch.truncate(2, 1);
        assertThat(batch.sizeBytes()).isEqualTo(size);
        batch.put(ONE, key("c"), Bytes.utf8("3"));
        assertThat(rows(batch)).containsExactly("put 1 a 1", "range 1  ", "put 1 c 3");
        assertThat(logged(batch)).isEqualTo(rows(batch));
        assertThat(batch.rangeDeletes()).isEqualTo(1);
    }

    @Test
    void anEmptyRangeLeavesNoTrace() {
        Batch batch = new Batch().put(ONE, key("a"), Bytes.EMPTY);
        batch.deleteRange(ONE, KeyRange.between(Bytes.utf8("a"), Bytes.utf8("a")));
        assertThat(rows(batch)).containsExactly("put 1 a ");
    }

    @Test
    void clearMakesItEmptyAlsoAfterAHugeUse() {
        Batch batch = new Batch();
        batch.put(ONE, key("a"), Bytes.of(new byte[3 << 20])).deleteRange(ONE, KeyRange.ALL);
        batch.clear();
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.size()).isZero();
        assertThat(batch.sizeBytes()).isZero();
        batch.put(ONE, key("a"), Bytes.utf8("1"));
        assertThat(rows(batch)).containsExactly("put 1 a 1");
    }

    @Test
    void manyRowsKeepTheirPlaces() {
        Batch batch = new Batch();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            batch.put(new NamedTable(i), key("k" + i), Bytes.utf8("v".repeat(i % 50)));
            expected.add("put %d k%d %s".formatted(i, i, "v".repeat(i % 50)));
        }
        assertThat(rows(batch)).isEqualTo(expected);
        assertThat(logged(batch)).isEqualTo(expected);
    }

    @Test
    void keysHaveABound() {
        Bytes largest = Bytes.of(new byte[Limits.KEY_BYTES_MAX]);
        Bytes larger = Bytes.of(new byte[Limits.KEY_BYTES_MAX + 1]);
        Batch batch = new Batch().put(ONE, new RowKey(largest, 1), Bytes.EMPTY).delete(ONE, new RowKey(largest, 1));
        assertTooLarge(() -> batch.put(ONE, new RowKey(larger, 1), Bytes.EMPTY));
        assertTooLarge(() -> batch.delete(ONE, new RowKey(larger, 1)));
        assertTooLarge(() -> batch.deleteRange(ONE, KeyRange.between(larger, Bytes.EMPTY)));
        assertThat(batch.size()).isEqualTo(2);
    }

    @Test
    void valuesHaveABound() {
        // One array stands for both parts: a value at the bound without the memory for it.
        Bytes half = Bytes.of(new byte[Limits.VALUE_BYTES_MAX / 2 + 1]);
        assertTooLarge(() -> new Batch().put(ONE, key("a"), half, half));
    }

    @Test
    void batchesHaveABound() {
        Batch batch = new Batch(1000);
        batch.put(ONE, key("a"), Bytes.of(new byte[900]));
        long size = batch.sizeBytes();
        assertTooLarge(() -> batch.put(ONE, key("b"), Bytes.of(new byte[(int) (1000 - size)])));
        batch.put(ONE, key("b"), Bytes.of(new byte[(int) (999 - size)]));
        assertTooLarge(() -> batch.deleteRange(ONE, KeyRange.ALL));
        assertThat(batch.size()).isEqualTo(2);
    }

    /** A set that reads its own writes keeps them as objects: a few bytes each would be most of a small heap then. */
    @Test
    void rangeDeletesCountForWhatTheyCost() {
        Batch batch = new Batch(4L * Batch.RANGE_DELETE_BYTES);
        for (int i = 0; i < 4; i++) {
            batch.deleteRange(ONE, KeyRange.between(Bytes.utf8("a" + i), Bytes.utf8("b")));
        }
        assertTooLarge(() -> batch.deleteRange(ONE, KeyRange.ALL));
        assertTooLarge(() -> batch.put(ONE, key("a"), Bytes.EMPTY));
        assertThat(batch.size()).isEqualTo(4);
        batch.clear();
        batch.put(ONE, key("a"), Bytes.EMPTY);
    }

    private static void assertTooLarge(ThrowingCallable call) {
        assertThat(catchThrowableOfType(StoreException.class, call).error()).isEqualTo(StoreError.TOO_LARGE);
    }
}
