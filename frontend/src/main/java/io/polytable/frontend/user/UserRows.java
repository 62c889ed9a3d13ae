package io.polytable.frontend.user;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Users as rows of {@code system.users}; {@code docs/formats/users.md} describes the columns. */
final class UserRows {
    static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "users"),
            TableKind.SYSTEM,
            List.of(
                    new Column("name", ColumnType.STRING),
                    new Column("role", ColumnType.STRING),
                    new Column("enabled", ColumnType.BOOLEAN),
                    new Column("open", ColumnType.BOOLEAN),
                    new Column("secrets", ColumnType.STRING),
                    new Column("rules", ColumnType.STRING),
                    new Column("email", ColumnType.STRING),
                    new Column("created_at", ColumnType.TIMESTAMP),
                    new Column("changed_at", ColumnType.TIMESTAMP)),
            List.of(KeyColumn.ascending("name")),
            List.of(),
            TableOptions.DEFAULT);

    private static final RowCodec CODEC = RowCodec.of(SPEC);

    private final TableStore store;
    private final Table table;

    UserRows(TableStore store) {
        this.store = store;
        this.table = store.create(SPEC);
    }

    /** @throws StoreException {@link StoreError#CORRUPT} for a row that is no user */
    List<User> all() {
        List<User> users = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                users.add(decode(cursor.key(), cursor.value()));
            }
        }
        return users;
    }

    void put(Batch batch, User user) {
        List<Value> row = row(user);
        batch.put(table, CODEC.key(row), CODEC.value(row));
    }

    void delete(Batch batch, String name) {
        batch.delete(table, key(name));
    }

    static RowKey key(String name) {
        return CODEC.keys().encode(List.of(new Value.OfString(name)));
    }

    static Bytes value(User user) {
        return CODEC.value(row(user));
    }

    private static List<Value> row(User user) {
        return List.of(
                new Value.OfString(user.name()),
                new Value.OfString(user.role().name().toLowerCase(Locale.ROOT)),
                new Value.OfBoolean(user.enabled()),
                new Value.OfBoolean(user.open()),
                new Value.OfString(user.secrets().stream().map(Secret::text).collect(Collectors.joining("\n"))),
                user.rules().<Value>map(Value.OfString::new).orElseGet(Value.Absent::new),
                new Value.OfString(user.email()),
                new Value.OfTimestamp(micros(user.created())),
                new Value.OfTimestamp(micros(user.changed())));
    }

    static User decode(Bytes key, Bytes value) {
        List<Value> row = CODEC.row(key, value);
        try {
            return new User(
                    text(row.get(0)),
                    Role.valueOf(text(row.get(1)).toUpperCase(Locale.ROOT)),
                    isTrue(row.get(2)),
                    isTrue(row.get(3)),
                    text(row.get(4)).lines().map(Secret::parse).toList(),
                    row.get(5) instanceof Value.OfString rules ? Optional.of(rules.value()) : Optional.empty(),
                    text(row.get(6)),
                    time(row.get(7)),
                    time(row.get(8)));
        } catch (IllegalArgumentException unknown) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "A user has a role or a secret that this version does not know",
                    Map.of("user", text(row.get(0)), "reason", String.valueOf(unknown.getMessage())));
        }
    }

    static String text(Value value) {
        return value instanceof Value.OfString text ? text.value() : "";
    }

    static boolean isTrue(Value value) {
        return value instanceof Value.OfBoolean flag && flag.value();
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static Instant time(Value value) {
        return value instanceof Value.OfTimestamp at
                ? Instant.EPOCH.plus(at.micros(), ChronoUnit.MICROS)
                : Instant.EPOCH;
    }
}
