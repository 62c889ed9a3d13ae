package io.polytable.sql.model.catalog;

import io.polytable.table.Table;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The definitions of an open transaction. They take effect in the catalog's memory at once, so other sessions see them
 * too, and are written to the store by the transaction's commit, together with its rows. A crash before that commit
 * leaves tables without a definition, which the next start drops. Used under the catalog's exclusive lock.
 */
public final class PendingDefinitions {
    private final CatalogState before;
    private final List<Consumer<Batch>> rows = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Runnable> undo = new ArrayList<>();
    private final Set<Integer> created = new HashSet<>();

    PendingDefinitions(CatalogState before) {
        this.before = before;
    }

    /** The definitions to which a rollback returns. No other session defines anything meanwhile. */
    CatalogState before() {
        return before;
    }

    void add(Consumer<Batch> change) {
        rows.add(change);
    }

    void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    void undo(Runnable action) {
        undo.add(action);
    }

    void created(Table table) {
        created.add(table.id());
    }

    /** Whether the transaction created the table, so that its rows go with it on a rollback. */
    public boolean hasCreated(Table table) {
        return created.contains(table.id());
    }

    /** Adds the changes of the definitions' rows, in their order. */
    void write(Batch batch) {
        rows.forEach(change -> change.accept(batch));
    }

    void committed() {
        afterCommit.forEach(Runnable::run);
    }

    /** Latest first. */
    void rolledBack() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            undo.get(i).run();
        }
    }
}
