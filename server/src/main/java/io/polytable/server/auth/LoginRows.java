package io.polytable.server.auth;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Logins and service tokens as rows of {@code system.logins}; {@code docs/formats/users.md} describes the columns. */
final class LoginRows {
    static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "logins"),
            TableKind.SYSTEM,
            List.of(
                    new Column("id", ColumnType.STRING),
                    new Column("user_id", ColumnType.STRING),
                    new Column("kind", ColumnType.STRING),
                    new Column("label", ColumnType.STRING),
                    new Column("secret", ColumnType.STRING),
                    new Column("generation", ColumnType.BIGINT),
                    new Column("created_at", ColumnType.TIMESTAMP),
                    new Column("expires_at", ColumnType.TIMESTAMP)),
            List.of(KeyColumn.ascending("id")),
            List.of(),
            TableOptions.DEFAULT);

    private static final RowCodec CODEC = RowCodec.of(SPEC);

    private final TableStore store;
    private final Table table;

    LoginRows(TableStore store) {
        this.store = store;
        table = store.create(SPEC);
    }

    List<Login> all() {
        List<Login> logins = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                logins.add(decode(cursor.key(), cursor.value()));
            }
        }
        return logins;
    }

    void put(Login login) {
        List<Value> row = row(login);
        Batch batch = new Batch();
        batch.put(table, CODEC.key(row), CODEC.value(row));
        store.commit(batch);
    }

    void delete(List<Login> ended) {
        if (ended.isEmpty()) {
            return;
        }
        Batch batch = new Batch();
        ended.forEach(login -> batch.delete(table, CODEC.key(row(login))));
        store.commit(batch);
    }

    static Bytes value(Login login) {
        return CODEC.value(row(login));
    }

    private static List<Value> row(Login login) {
        return List.of(
                new Value.OfString(login.id()),
                new Value.OfString(login.user()),
                new Value.OfString(login.kind().name().toLowerCase(Locale.ROOT)),
                new Value.OfString(login.label()),
                new Value.OfString(login.secret()),
                new Value.OfBigint(login.generation()),
                new Value.OfTimestamp(login.created().toEpochMilli() * 1000),
                new Value.OfTimestamp(login.expires().toEpochMilli() * 1000));
    }

    private static Login decode(Bytes key, Bytes value) {
        List<Value> row = CODEC.row(key, value);
        try {
            return new Login(
                    text(row.get(0)),
                    text(row.get(1)),
                    Login.Kind.valueOf(text(row.get(2)).toUpperCase(Locale.ROOT)),
                    text(row.get(3)),
                    text(row.get(4)),
                    ((Value.OfBigint) row.get(5)).value(),
                    time(row.get(6)),
                    time(row.get(7)));
        } catch (IllegalArgumentException unknown) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "A login is of a kind that this version does not know",
                    Map.of("id", text(row.get(0))));
        }
    }

    private static String text(Value value) {
        return ((Value.OfString) value).value();
    }

    private static Instant time(Value value) {
        return Instant.ofEpochMilli(((Value.OfTimestamp) value).micros() / 1000);
    }
}
