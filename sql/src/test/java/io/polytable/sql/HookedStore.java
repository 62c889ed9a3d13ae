package io.polytable.sql;

import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.testkit.ForwardingSnapshot;
import io.polytable.table.testkit.ForwardingStore;
import io.polytable.table.write.Batch;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store with hooks: a test runs an action once at a point inside a statement, which makes a race deterministic. */
final class HookedStore extends ForwardingStore {
    private volatile Hook onScan = Hook.NONE;
    private volatile Hook onSnapshot = Hook.NONE;
    private volatile Hook onCommit = Hook.NONE;
    private volatile Hook onDurable = Hook.NONE;

    private record Hook(String table, AtomicInteger left, Runnable action) {
        static final Hook NONE = new Hook("", new AtomicInteger(), () -> {});

        void reached(String name) {
            if (name.equals(table) && left.decrementAndGet() == 0) {
                action.run();
            }
        }
    }

    HookedStore(TableStore beneath) {
        super(beneath);
    }

    /** Before the n-th scan of the table from now on, through a snapshot or not. */
    void beforeScan(String table, int number, Runnable action) {
        onScan = new Hook(table, new AtomicInteger(number), action);
    }

    /** After the next snapshot was opened. */
    void afterSnapshot(Runnable action) {
        onSnapshot = new Hook("", new AtomicInteger(1), action);
    }

    /** Before the n-th commit from now on, which does not happen if the action throws. */
    void beforeCommit(int number, Runnable action) {
        onCommit = new Hook("", new AtomicInteger(number), action);
    }

    /** Runs before the n-th commit from now on waits until it is durable. */
    void beforeDurable(int number, Runnable action) {
        onDurable = new Hook("", new AtomicInteger(number), action);
    }

    @Override
    public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
        onScan.reached(table.name().name());
        return super.scan(table, range, direction, limit);
    }

    @Override
    public Commit commit(Batch batch) {
        onCommit.reached("");
        Commit beneath = super.commit(batch);
        return new Commit() {
            @Override
            public boolean isDurable() {
                return beneath.isDurable();
            }

            @Override
            public CompletionStage<Void> durable() {
                onDurable.reached("");
                return beneath.durable();
            }

            @Override
            public Position position() {
                return beneath.position();
            }
        };
    }

    @Override
    public Snapshot snapshot() {
        Snapshot beneath = super.snapshot();
        onSnapshot.reached("");
        return new ForwardingSnapshot(beneath) {
            @Override
            public Cursor scan(Table table, KeyRange range, Direction direction, long limit) {
                onScan.reached(table.name().name());
                return super.scan(table, range, direction, limit);
            }
        };
    }
}
