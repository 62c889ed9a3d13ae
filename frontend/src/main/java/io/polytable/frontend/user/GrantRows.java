package io.polytable.frontend.user;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Grants as rows of {@code system.grants}; {@code docs/formats/users.md} describes the columns. */
final class GrantRows {
    static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "grants"),
            TableKind.SYSTEM,
            List.of(
                    new Column("grantee", ColumnType.STRING),
                    new Column("namespace", ColumnType.STRING),
                    new Column("table_name", ColumnType.STRING),
                    new Column("privileges", ColumnType.STRING),
                    new Column("grantor", ColumnType.STRING),
                    new Column("granted_at", ColumnType.TIMESTAMP)),
            List.of(
                    KeyColumn.ascending("grantee"),
                    KeyColumn.ascending("namespace"),
                    KeyColumn.ascending("table_name")),
            List.of(),
            TableOptions.DEFAULT);

    private static final RowCodec CODEC = RowCodec.of(SPEC);

    private final TableStore store;
    private final Table table;

    GrantRows(TableStore store) {
        this.store = store;
        this.table = store.create(SPEC);
    }

    /** @throws StoreException {@link StoreError#CORRUPT} for a row with a privilege that this version does not know */
    List<Grant> all() {
        List<Grant> grants = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                grants.add(decode(cursor.key(), cursor.value()));
            }
        }
        return grants;
    }

    /** Stores the grant, or removes its row if it has no privilege. */
    void put(Batch batch, Grant grant) {
        List<Value> row = row(grant);
        if (grant.privileges().isEmpty()) {
            batch.delete(table, CODEC.key(row));
        } else {
            batch.put(table, CODEC.key(row), CODEC.value(row));
        }
    }

    private static List<Value> row(Grant grant) {
        String namespace = "";
        String name = "";
        if (grant.scope() instanceof Scope.OfNamespace all) {
            namespace = all.namespace();
        } else if (grant.scope() instanceof Scope.OfTable one) {
            namespace = one.table().namespace();
            name = one.table().name();
        }
        String privileges =
                grant.privileges().stream().sorted().map(Privilege::name).collect(Collectors.joining(","));
        return List.of(
                new Value.OfString(grant.grantee()),
                new Value.OfString(namespace),
                new Value.OfString(name),
                new Value.OfString(privileges),
                new Value.OfString(grant.grantor()),
                new Value.OfTimestamp(UserRows.micros(grant.since())));
    }

    private static Grant decode(Bytes key, Bytes value) {
        List<Value> row = CODEC.row(key, value);
        try {
            return new Grant(
                    UserRows.text(row.get(0)),
                    scope(UserRows.text(row.get(1)), UserRows.text(row.get(2))),
                    privileges(UserRows.text(row.get(3))),
                    UserRows.text(row.get(4)),
                    UserRows.time(row.get(5)));
        } catch (IllegalArgumentException unknown) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "A grant has a privilege that this version does not know",
                    Map.of("user", UserRows.text(row.get(0)), "reason", String.valueOf(unknown.getMessage())));
        }
    }

    private static Scope scope(String namespace, String name) {
        if (namespace.isEmpty()) {
            return new Scope.Everything();
        }
        return name.isEmpty() ? new Scope.OfNamespace(namespace) : new Scope.OfTable(new TableName(namespace, name));
    }

    private static Set<Privilege> privileges(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(Privilege::valueOf)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Privilege.class)));
    }
}
