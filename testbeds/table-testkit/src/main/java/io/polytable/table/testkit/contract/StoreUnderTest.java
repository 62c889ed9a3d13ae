package io.polytable.table.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polytable.table.Commit;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ManualClock;
import io.polytable.table.testkit.Rows;
import io.polytable.table.write.Batch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The store under test, for the parts of the contract. Tests get the store and its tables again after each {@link
 * #betweenSteps()}, since that may have reopened the store.
 */
interface StoreUnderTest {
    /** The time-out after which a call counts as hanging. */
    int PATIENCE_SECONDS = 30;

    TableStore store();

    /** The store's clock, which survives a reopen. */
    ManualClock clock();

    /** An action that must not change anything visible: nothing, a restart, flushing rows from memory to disk. */
    void betweenSteps();

    /** Trims the store's log, so that positions before now expire. */
    void forgetChanges();

    /** The table of this name, created with {@link Rows#spec} if needed. */
    default Table table(String name) {
        return store().create(Rows.spec(name));
    }

    /** The default table of most tests. */
    default Table table() {
        return table("t");
    }

    /** Commits and waits until it is durable. */
    default Commit commit(Batch batch) {
        Commit commit = store().commit(batch);
        await(commit);
        return commit;
    }

    default void put(String key, String value) {
        commit(new Batch().put(table(), Rows.key(key), Rows.value(value)));
    }

    /** Puts {@code a/1=x} and so on into the one table, each in a commit of its own. */
    default void putAll(String... rows) {
        for (String row : rows) {
            int equals = row.indexOf('=');
            put(row.substring(0, equals), row.substring(equals + 1));
        }
    }

    default void assertRow(String key, String value) {
        assertThat(store().read(table(), Rows.key(key))).as(key).contains(Rows.value(value));
    }

    default void assertNoRow(String key) {
        RowKey rowKey = Rows.key(key);
        assertThat(store().read(table(), rowKey)).as(key).isEmpty();
    }

    static void await(Commit commit) {
        try {
            commit.durable().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("a commit did not become durable", e);
        }
        assertThat(commit.isDurable()).isTrue();
    }

    static void assertFails(StoreError error, ThrowingCallable call) {
        assertThat(catchThrowableOfType(StoreException.class, call).error()).isEqualTo(error);
    }
}
