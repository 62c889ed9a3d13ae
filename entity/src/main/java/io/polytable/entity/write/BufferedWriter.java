package io.polytable.entity.write;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.Futures;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.RowChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Buffers puts and deletes of many entities and writes them in batches: when the buffer is full, on {@link #flush}, and
 * on {@link #close}. Buffered changes are not durable. Changes of one entity keep their order. Thread safe.
 */
public final class BufferedWriter implements AutoCloseable {
    private static final long DEFAULT_BYTES = 2 << 20;
    private static final int EDITS_MAX = 50_000;
    private static final int EDIT_BYTES = 64;

    /** An edit encoded under the layout at the time it was added, and how to encode it under another. */
    private record Pending(EntityId id, Function<LayoutState, CellEdit> make, LayoutState state, CellEdit edit) {
        CellEdit under(LayoutState now) {
            return now == state ? edit : make.apply(now);
        }
    }

    private final TableAccess access;
    private final List<Pending> pending = new ArrayList<>();
    private long bufferBytes = DEFAULT_BYTES;
    private long pendingBytes;
    private boolean closed;

    public BufferedWriter(TableAccess access) {
        this.access = access;
    }

    /** The buffer size in bytes. */
    public synchronized void setBufferBytes(long bytes) {
        if (bytes < 1) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "A buffer has at least one byte", Map.of("bytes", bytes));
        }
        bufferBytes = bytes;
        flushIfFull();
    }

    public void put(EntityId id, String column, Object value) {
        put(id, column, CellEdit.NOW, value);
    }

    public void put(EntityId id, String column, long timestamp, Object value) {
        ColumnName name = ColumnName.parse(column);
        access.register(name, value);
        add(id, Edits.put(name, timestamp, value));
    }

    /** Several columns of an entity: if one of the values is invalid, none of them is buffered. */
    public void putAll(EntityId id, long timestamp, Map<String, ?> values) {
        List<Function<LayoutState, CellEdit>> makes = new ArrayList<>();
        values.forEach((column, value) -> {
            ColumnName name = ColumnName.parse(column);
            access.register(name, value);
            makes.add(Edits.put(name, timestamp, value));
        });
        addAll(id, makes);
    }

    public void deleteRow(EntityId id) {
        add(id, Edits.deleteRow(CellEdit.NOW));
    }

    public void deleteRow(EntityId id, long upTo) {
        add(id, Edits.deleteRow(upTo));
    }

    public void deleteFamily(EntityId id, String family) {
        add(id, Edits.deleteFamily(family, CellEdit.NOW));
    }

    public void deleteFamily(EntityId id, String family, long upTo) {
        add(id, Edits.deleteFamily(family, upTo));
    }

    public void deleteColumn(EntityId id, String column) {
        add(id, Edits.deleteColumn(ColumnName.parse(column), CellEdit.NOW));
    }

    public void deleteColumn(EntityId id, String column, long upTo) {
        add(id, Edits.deleteColumn(ColumnName.parse(column), upTo));
    }

    public void deleteCell(EntityId id, String column, long timestamp) {
        add(id, Edits.deleteCell(ColumnName.parse(column), timestamp));
    }

    private void add(EntityId id, Function<LayoutState, CellEdit> make) {
        addAll(id, List.of(make));
    }

    private synchronized void addAll(EntityId id, List<Function<LayoutState, CellEdit>> makes) {
        if (closed) {
            throw new EntityException(EntityError.CLOSED, "The writer is closed");
        }
        // A buffer that could not be flushed must not grow beyond its size.
        flushIfFull();
        LayoutState state = access.current();
        List<Pending> made = new ArrayList<>(makes.size());
        makes.forEach(make -> made.add(new Pending(id, make, state, make.apply(state))));
        for (Pending next : made) {
            pending.add(next);
            pendingBytes += EDIT_BYTES + id.rowKey().length();
            pendingBytes +=
                    next.edit() instanceof CellEdit.Put put ? put.value().length() : 0;
        }
        flushIfFull();
    }

    private void flushIfFull() {
        if (pendingBytes >= bufferBytes || pending.size() >= EDITS_MAX) {
            flush();
        }
    }

    /** Flushes the buffer. If that fails the changes stay buffered, and some may have been written. */
    public synchronized void flush() {
        if (pending.isEmpty()) {
            return;
        }
        Futures.join(access.underAsync(state -> {
            // A delete masks earlier puts, not later ones: changes of an entity are split around deletes.
            List<RowChange> changes = new ArrayList<>();
            Map<EntityId, List<CellEdit>> open = new LinkedHashMap<>();
            for (Pending next : pending) {
                CellEdit edit = next.under(state);
                List<CellEdit> earlier = open.get(next.id());
                if (earlier != null && isDelete(edit) != isDelete(earlier.get(0))) {
                    changes.add(change(next.id(), earlier));
                    open.remove(next.id());
                }
                open.computeIfAbsent(next.id(), id -> new ArrayList<>()).add(edit);
            }
            open.forEach((id, edits) -> changes.add(change(id, edits)));
            return state.stored().writeAll(changes);
        }));
        pending.clear();
        pendingBytes = 0;
    }

    private static boolean isDelete(CellEdit edit) {
        return !(edit instanceof CellEdit.Put || edit instanceof CellEdit.Increment);
    }

    private static RowChange change(EntityId id, List<CellEdit> edits) {
        return new RowChange(id.rowKey(), edits, Optional.empty());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            flush();
            closed = true;
        }
    }
}
