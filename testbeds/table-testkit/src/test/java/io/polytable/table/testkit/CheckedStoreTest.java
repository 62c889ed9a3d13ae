package io.polytable.table.testkit;

import static io.polytable.table.testkit.Rows.key;
import static io.polytable.table.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Violations of each rule are detected. */
class CheckedStoreTest {
    private final MemoryStore memory = new MemoryStore();
    private final CheckedStore store = new CheckedStore(memory);
    private final Table table = store.create(Rows.spec("t"));

    private static void assertBroken(String text, ThrowingCallable call) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(call).withMessageContaining(text);
    }

    private void put(String row) {
        store.commit(new Batch().put(table, key(row), value("v")));
    }

    @Test
    void whatIsNotClosedIsFoundWhenTheStoreIs() {
        Cursor cursor = store.scan(table, KeyRange.ALL);
        store.snapshot().close();
        assertThat(store.openThings()).isEqualTo(1);
        assertBroken("not closed", store::close);
        cursor.close();
    }

    @Test
    void aCursorIsOnARowOnlyAfterNextSaidSo() {
        put("a/1");
        Cursor cursor = store.scan(table, KeyRange.ALL);
        assertBroken("on no row", cursor::key);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(Bytes.utf8("a/1"));
        assertThat(cursor.next()).isFalse();
        assertBroken("on no row", cursor::value);
        cursor.close();
        assertBroken("after it was closed", cursor::next);
    }

    @Test
    void aKeyHasOnePartition() {
        put("a/1");
        RowKey other = RowKey.whole(Bytes.utf8("a/1"));
        assertBroken("another partition", () -> store.read(table, other));
        assertBroken("another partition", () -> store.commit(new Batch().put(table, other, value("v"))));
        try (Cursor cursor = store.scan(table, KeyRange.partition(Bytes.utf8("a/1")))) {
            assertBroken("another partition", cursor::next);
        }
    }

    @Test
    void aBatchIsNotTouchedDuringItsCommit() {
        CheckedStore careless = new CheckedStore(new ForwardingStore(memory) {
            @Override
            public Commit commit(Batch batch) {
                Commit commit = super.commit(batch);
                batch.put(table, key("a/2"), value("sneaked in"));
                return commit;
            }
        });
        assertBroken("touched", () -> careless.commit(new Batch().put(table, key("a/1"), value("v"))));
    }

    @Test
    void aStoreThatMixesUpRowsIsFound() {
        put("a/1");
        put("a/2");
        put("b/1");
        CheckedStore wrong = new CheckedStore(new ForwardingStore(memory) {
            @Override
            public Cursor scan(Table of, KeyRange range, Direction direction, long limit) {
                return super.scan(of, KeyRange.ALL, Direction.FORWARD, Long.MAX_VALUE);
            }
        });
        assertBroken("outside of its range", () -> Rows.in(wrong, table, Rows.partition("b/")));
        assertBroken("out of order", () -> Rows.in(wrong, table, KeyRange.ALL, Direction.REVERSE, 10));
        assertBroken("more rows than its limit", () -> Rows.in(wrong, table, KeyRange.ALL, Direction.FORWARD, 2));
    }

    @Test
    void aTicketThatComesAgainIsFound() {
        CheckedStore wrong = new CheckedStore(new ForwardingStore(memory) {
            @Override
            public long ticket() {
                return 7;
            }
        });
        assertThat(wrong.ticket()).isEqualTo(7);
        assertBroken("ticket", wrong::ticket);
    }

    @Test
    void twoThreadsInOneCursorAreFound() {
        SingleThreadGuard guard = new SingleThreadGuard("cursor");
        assertBroken("two threads", () -> guard.call(() -> guard.call(() -> 1)));
        assertThat(new SingleThreadGuard("cursor").call(() -> 1)).isEqualTo(1);
    }
}
