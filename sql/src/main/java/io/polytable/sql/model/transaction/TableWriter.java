package io.polytable.sql.model.transaction;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.GeneratedIds;
import io.polytable.sql.model.row.RowFormat;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlIndex;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.TableKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes rows of one table for one user within a transaction: keys, NOT NULL, uniqueness and index entries. */
public final class TableWriter {
    private final SqlTable table;
    private final TableDef def;
    private final Transaction transaction;
    private final String user;
    private final Instant now;
    private final GeneratedIds ids;
    private Bytes inserted = Bytes.EMPTY;
    private boolean showsValues = true;

    public TableWriter(SqlTable table, Transaction transaction, String user, Instant now, GeneratedIds ids) {
        this.table = table;
        this.transaction = transaction;
        this.user = user;
        this.now = now.truncatedTo(ChronoUnit.MICROS);
        this.ids = ids;
        def = table.def();
        transaction.write(table);
    }

    /** Leaves the values of rows out of errors: the user may write the table, but not read it. */
    public TableWriter withoutValues() {
        showsValues = false;
        return this;
    }

    /**
     * An existing row that violates a unique constraint with the new one.
     *
     * @param described the values of the constraint's columns; empty if the user may not read them
     */
    public record Conflict(StoredRow present, String constraint, List<String> columns, Optional<String> described) {
        /** Whether the violated constraint is on these columns; any constraint if there are none. */
        public boolean isOn(Set<String> arbiter) {
            return arbiter.isEmpty() || arbiter.equals(Set.copyOf(columns));
        }

        public SqlError error() {
            return new SqlError(
                    SqlCode.UNIQUE_VIOLATION,
                    "duplicate key value violates unique constraint \"" + constraint + "\""
                            + described
                                    .map(values -> ": Key " + values + " already exists")
                                    .orElse(""));
        }
    }

    /**
     * Inserts the row, or returns its conflict with an existing one.
     *
     * @param arbiter columns of the constraint whose conflict is reported first; empty for any
     */
    public Optional<Conflict> insert(@Nullable Object[] row, Set<String> arbiter) {
        checkNotNull(row);
        RowKey key = table.format().key(new RowFormat.Scope(user, now.toEpochMilli()), row, rowId());
        Optional<Conflict> conflict = conflict(row, key, arbiter);
        if (conflict.isPresent()) {
            return conflict;
        }
        put(key, row);
        inserted = key.bytes();
        return Optional.empty();
    }

    private Optional<Conflict> conflict(@Nullable Object[] row, RowKey key, Set<String> arbiter) {
        Optional<Conflict> first = present(key)
                .filter(present -> !present.isDeleted())
                .map(present ->
                        new Conflict(present, table.keyConstraint(), def.keyNames(), shown(table.described(row))));
        if (first.isPresent() && first.get().isOn(arbiter)) {
            return first;
        }
        for (SqlIndex index : table.indexes()) {
            Optional<Conflict> other = indexConflict(index, row, key);
            if (other.isPresent() && other.get().isOn(arbiter)) {
                return other;
            }
            first = first.or(() -> other);
        }
        return first;
    }

    /** The key of the last inserted row. */
    public Bytes inserted() {
        return inserted;
    }

    private long rowId() {
        return def.hasRowId() ? ids.snowflake() : 0;
    }

    private Optional<StoredRow> present(RowKey key) {
        return transaction.readToWrite(table, key);
    }

    /** The conflict with a row of the same values, which may have the same key. */
    private Optional<Conflict> indexConflict(SqlIndex index, @Nullable Object[] row, RowKey key) {
        if (!index.isUniqueFor(row)) {
            return Optional.empty();
        }
        return transaction
                .readToWrite(index.table(), index.key(user, row, key))
                .flatMap(pointer -> table.get(transaction, index.target(pointer)))
                .filter(present -> !present.isDeleted())
                .map(present -> {
                    List<String> columns = index.def().columns().stream()
                            .map(id -> def.columns().get(def.indexOfId(id)).name())
                            .toList();
                    return new Conflict(present, index.def().name(), columns, shown(index.described(row)));
                });
    }

    private Optional<String> shown(String values) {
        return showsValues ? Optional.of(values) : Optional.empty();
    }

    private void put(RowKey key, @Nullable Object[] row) {
        table.cold().wrote(1);
        transaction.put(table.table(), key, table.format().value(row, now, false));
        for (SqlIndex index : table.indexes()) {
            RowKey entry = index.key(user, row, key);
            transaction.readToWrite(index.table(), entry);
            transaction.put(index.table(), entry, index.pointer(key));
        }
    }

    /** Replaces a row that a statement selected. A changed key moves it. */
    public void update(StoredRow old, @Nullable Object[] row) {
        if (def.kind() == TableKind.STREAM) {
            throw new SqlError(
                    SqlCode.WRONG_OBJECT_TYPE, "stream table " + def.name() + " only takes new rows: no UPDATE");
        }
        checkNotNull(row);
        requirePresent(old);
        if (!sameKey(old.values(), row)) {
            delete(old);
            insert(row, Set.of()).ifPresent(conflict -> {
                throw conflict.error();
            });
            return;
        }
        List<SqlIndex> touched = table.indexes().stream()
                .filter(index -> !index.isUntouched(old.values(), row))
                .toList();
        touched.forEach(index -> requireUnique(index, row, old));
        transaction.put(table.table(), old.key(), table.format().value(row, now, false));
        for (SqlIndex index : touched) {
            unlink(index, old);
            RowKey entry = index.key(user, row, old.key());
            transaction.readToWrite(index.table(), entry);
            transaction.put(index.table(), entry, index.pointer(old.key()));
        }
    }

    private void requireUnique(SqlIndex index, @Nullable Object[] row, StoredRow old) {
        indexConflict(index, row, old.key())
                .filter(conflict ->
                        !conflict.present().key().bytes().equals(old.key().bytes()))
                .ifPresent(conflict -> {
                    throw conflict.error();
                });
    }

    /** A statement by key reads without a snapshot: the row may have changed between its read and its write. */
    private void requirePresent(StoredRow old) {
        table.cold().wrote(1);
        if (transaction.readToWrite(table, old).filter(old::isSame).isEmpty()) {
            throw Transaction.conflict(table.table());
        }
    }

    /** Deletes the entry only if it points to the row: another row may have its unique value by now. */
    private void unlink(SqlIndex index, StoredRow old) {
        RowKey entry = index.key(user, old.values(), old.key());
        boolean own = transaction
                .readToWrite(index.table(), entry)
                .filter(pointer ->
                        index.target(pointer).bytes().equals(old.key().bytes()))
                .isPresent();
        if (own) {
            transaction.delete(index.table(), entry);
        }
    }

    private boolean sameKey(@Nullable Object[] before, @Nullable Object[] after) {
        for (int column : table.format().keyColumns()) {
            if (!Objects.equals(before[column], after[column])) {
                return false;
            }
        }
        return true;
    }

    /** Leaves a tombstone in a user or shared table; an event is deleted. */
    public void delete(StoredRow old) {
        requirePresent(old);
        table.indexes().forEach(index -> unlink(index, old));
        if (def.hasSystemColumns()) {
            transaction.put(table.table(), old.key(), table.format().value(old.values(), now, true));
        } else {
            transaction.delete(table.table(), old.key());
        }
    }

    private void checkNotNull(@Nullable Object[] row) {
        for (int i = 0; i < row.length; i++) {
            ColumnDef column = def.columns().get(i);
            if (row[i] == null && (column.notNull() || def.isKey(column))) {
                throw new SqlError(
                        SqlCode.NOT_NULL_VIOLATION,
                        "null value in column \"" + column.name() + "\" of relation \""
                                + def.name().name() + "\" violates not-null constraint");
            }
        }
    }
}
