package io.polytable.entity.write;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.Futures;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.WriteAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes several cells of one entity atomically, also across locality groups, and optionally only if a column is as
 * expected: begin, put and delete, commit or roll back, begin again. Not thread safe.
 */
public final class AtomicWriter {
    private static final int EDITS_MAX = 10_000;
    private static final long BYTES_MAX = 64 << 20;

    private final TableAccess access;
    private final List<Function<LayoutState, CellEdit>> edits = new ArrayList<>();
    private final Set<ColumnPlace> puts = new HashSet<>();
    private final Set<ColumnPlace> deletes = new HashSet<>();
    private Optional<String> consistency = Optional.empty();
    private long bytes;
    private @Nullable EntityId id;

    public AtomicWriter(TableAccess access) {
        this.access = access;
    }

    public AtomicWriter begin(EntityId entity) {
        if (id != null) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "A change is in progress: commit it or roll it back",
                    Map.of("entity", id));
        }
        id = entity;
        return this;
    }

    /** The consistency level of the following changes, as for {@link TableWriter#at}. */
    public AtomicWriter at(String level) {
        consistency = Optional.of(level);
        return this;
    }

    /** The entity of the current change. */
    public Optional<EntityId> entity() {
        return Optional.ofNullable(id);
    }

    public AtomicWriter put(String column, Object value) {
        return put(column, CellEdit.NOW, value);
    }

    public AtomicWriter put(String column, long timestamp, Object value) {
        ColumnName name = ColumnName.parse(column);
        begun();
        access.register(name, value);
        return add(Edits.put(name, timestamp, value));
    }

    public AtomicWriter deleteColumn(String column) {
        return add(Edits.deleteColumn(ColumnName.parse(column), CellEdit.NOW));
    }

    private AtomicWriter add(Function<LayoutState, CellEdit> edit) {
        begun();
        if (edits.size() >= EDITS_MAX) {
            throw new EntityException(
                    EntityError.TOO_LARGE, "Too many edits in one change", Map.of("edits", EDITS_MAX));
        }
        // Names and values are validated here, where the caller can see which one is invalid.
        CellEdit made = access.under(edit);
        refuseBoth(made);
        long more = made instanceof CellEdit.Put put ? put.value().length() : 0;
        if (bytes + more > BYTES_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "Too many bytes in one change", Map.of("max", BYTES_MAX));
        }
        bytes += more;
        edits.add(edit);
        return this;
    }

    /** All edits of a change have the same timestamp, so a store could not order a put and a delete of one column. */
    private void refuseBoth(CellEdit made) {
        if (made instanceof CellEdit.Put put) {
            refuseBoth(put.place(), puts, deletes);
        } else if (made instanceof CellEdit.DeleteColumn column) {
            refuseBoth(column.place(), deletes, puts);
        }
    }

    private static void refuseBoth(ColumnPlace place, Set<ColumnPlace> these, Set<ColumnPlace> others) {
        if (others.contains(place)) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "One change cannot both put and delete a column",
                    Map.of("qualifier", place.qualifier()));
        }
        these.add(place);
    }

    private EntityId begun() {
        EntityId entity = id;
        if (entity == null) {
            throw new EntityException(EntityError.BAD_REQUEST, "No change is in progress: begin one");
        }
        return entity;
    }

    public void commit() {
        Futures.join(commitAsync());
    }

    public CompletableFuture<Void> commitAsync() {
        return commit(Optional.empty()).thenApply(answer -> null);
    }

    /**
     * Commits if the column's newest value is the expected one, or if it has none and null is expected; returns whether
     * it did. Otherwise the change stays open.
     */
    public boolean checkAndCommit(String column, @Nullable Object expected) {
        return Futures.join(checkAndCommitAsync(column, expected));
    }

    public CompletableFuture<Boolean> checkAndCommitAsync(String column, @Nullable Object expected) {
        ColumnName name = ColumnName.parse(column);
        return commit(Optional.of(state -> new RowChange.Check(
                        state.place(name),
                        Optional.ofNullable(expected)
                                .map(value -> state.codec(name).encode(value)))))
                .thenApply(WriteAnswer::applied);
    }

    private CompletableFuture<WriteAnswer> commit(Optional<Function<LayoutState, RowChange.Check>> check) {
        EntityId entity = begun();
        List<Function<LayoutState, CellEdit>> wanted = List.copyOf(edits);
        Optional<String> level = consistency;
        return access.underAsync(state -> {
                    List<CellEdit> made =
                            wanted.stream().map(edit -> edit.apply(state)).toList();
                    return state.stored()
                            .write(new RowChange(entity.rowKey(), made, check.map(test -> test.apply(state)), level));
                })
                .thenApply(answer -> {
                    if (answer.applied()) {
                        rollback();
                    }
                    return answer;
                });
    }

    /** Discards the current change. */
    public void rollback() {
        edits.clear();
        puts.clear();
        deletes.clear();
        bytes = 0;
        id = null;
    }
}
