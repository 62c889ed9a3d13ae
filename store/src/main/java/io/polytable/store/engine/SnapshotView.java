package io.polytable.store.engine;

import io.polytable.store.memory.MemorySnapshot;
import io.polytable.store.memory.RowMemory;
import io.polytable.store.merge.Source;
import io.polytable.store.state.State;
import io.polytable.store.state.StateSnapshot;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data behind a snapshot and its cursors. It starts as a snapshot of the fresh rows over a snapshot of the state.
 * Once the applier has brought the state to exactly this point, it becomes a snapshot of the state alone, so a
 * long-lived snapshot pins no rows in memory.
 */
final class SnapshotView {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotView.class);

    private final State state;
    private final long position;
    private final Runnable onClose;
    private final Set<ScanCursor> cursors = ConcurrentHashMap.newKeySet();
    private volatile Layer layer;

    /** The snapshot itself and its cursors, which may outlive it. */
    private int users = 1;

    private SnapshotView(State state, long position, Layer layer, Runnable onClose) {
        this.state = state;
        this.position = position;
        this.layer = layer;
        this.onClose = onClose;
    }

    /**
     * Puts the captured rows over the present state; empty, and the capture closed, if the state has moved past it.
     *
     * @param onClose runs when the snapshot and all its cursors are closed
     */
    static Optional<SnapshotView> open(Appender.Captured captured, State state, Runnable onClose) {
        MemorySnapshot memory = captured.rows();
        StateSnapshot beneath = Opening.orClose(memory::close, state::snapshot);
        boolean fresh = !memory.isEmpty();
        Layer layer = new Layer(fresh ? Optional.of(memory) : Optional.empty(), beneath);
        SnapshotView view = new SnapshotView(state, captured.position(), layer, onClose);
        memory.onReached(view::settle);
        boolean overtaken = memory.isOvertaken();
        if (!fresh) {
            memory.close();
        }
        if (overtaken) {
            boolean unusedLast = view.leave();
            return Optional.empty();
        }
        return Optional.of(view);
    }

    /**
     * Fresh rows over a snapshot of the state, or that snapshot alone. Reference-counted, since cursors may use a layer
     * for a while.
     */
    static final class Layer {
        private final Optional<MemorySnapshot> fresh;
        private final StateSnapshot state;
        private int users = 1;

        private Layer(Optional<MemorySnapshot> fresh, StateSnapshot state) {
            this.fresh = fresh;
            this.state = state;
        }

        private synchronized boolean enter() {
            users += users > 0 ? 1 : 0;
            return users > 0;
        }

        void leave() {
            boolean last;
            synchronized (this) {
                last = --users == 0;
            }
            if (last) {
                state.close();
                fresh.ifPresent(MemorySnapshot::close);
            }
        }

        private Optional<Bytes> read(EngineTable table, Bytes key) {
            if (fresh.isPresent()) {
                RowMemory.Found found = fresh.get().find(table.id(), key);
                if (found.known() != RowMemory.Known.NOTHING) {
                    return found.known() == RowMemory.Known.PRESENT ? Optional.of(found.value()) : Optional.empty();
                }
            }
            return state.read(table.state(), key);
        }

        private List<Optional<Bytes>> readMany(EngineTable table, List<RowKey> keys) {
            List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
            List<Integer> misses = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                Bytes key = keys.get(i).bytes();
                Optional<RowMemory.Found> found = fresh.map(rows -> rows.find(table.id(), key));
                boolean present = found.isPresent() && found.get().known() == RowMemory.Known.PRESENT;
                answers.add(present ? Optional.of(found.get().value()) : Optional.empty());
                if (found.isEmpty() || found.get().known() == RowMemory.Known.NOTHING) {
                    misses.add(i);
                }
            }
            List<Optional<Bytes>> values = state.readMany(
                    table.state(), misses.stream().map(i -> keys.get(i).bytes()).toList());
            for (int i = 0; i < values.size(); i++) {
                answers.set(misses.get(i), values.get(i));
            }
            return answers;
        }

        List<Source> sources(EngineTable table, KeyRange range, Direction direction) {
            Source beneath = state.scan(table.state(), range, direction);
            return Opening.orClose(
                    beneath::close,
                    () -> fresh.map(rows -> rows.over(beneath, table.id(), range, direction))
                            .orElseGet(() -> List.of(beneath)));
        }
    }

    long position() {
        return position;
    }

    Optional<Bytes> read(EngineTable table, Bytes key) {
        Layer entered = enter();
        try {
            return entered.read(table, key);
        } finally {
            entered.leave();
        }
    }

    List<Optional<Bytes>> readMany(EngineTable table, List<RowKey> keys) {
        Layer entered = enter();
        try {
            return entered.readMany(table, keys);
        } finally {
            entered.leave();
        }
    }

    /** Enters the present layer; the caller must leave it. Fails if the snapshot was closed meanwhile. */
    Layer enter() {
        Layer present = layer;
        while (!present.enter()) {
            requireOpen();
            present = layer;
        }
        return present;
    }

    private synchronized void requireOpen() {
        if (users == 0) {
            throw new StoreException(StoreError.CLOSED, "The snapshot is closed");
        }
    }

    boolean isPresent(Layer entered) {
        return entered == layer;
    }

    /** Called by the applier when the state holds exactly the content of this snapshot. */
    private void settle() {
        try {
            settle(state.snapshot());
        } catch (RuntimeException e) {
            LOG.debug("A snapshot keeps its rows in memory", e);
        }
    }

    private void settle(StateSnapshot exact) {
        Layer before;
        synchronized (this) {
            before = layer;
            if (users == 0 || before.fresh.isEmpty()) {
                exact.close();
                return;
            }
            layer = new Layer(Optional.empty(), exact);
        }
        before.leave();
        cursors.forEach(ScanCursor::releaseIfIdle);
    }

    void opened(ScanCursor cursor) {
        synchronized (this) {
            requireOpen();
            users++;
        }
        cursors.add(cursor);
    }

    void closed(ScanCursor cursor) {
        cursors.remove(cursor);
        close();
    }

    /** Removes one user. */
    void close() {
        if (leave()) {
            onClose.run();
        }
    }

    private boolean leave() {
        Layer last;
        synchronized (this) {
            if (--users > 0) {
                return false;
            }
            last = layer;
        }
        last.leave();
        return true;
    }
}
