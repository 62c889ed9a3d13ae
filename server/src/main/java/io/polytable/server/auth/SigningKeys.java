package io.polytable.server.auth;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that sign our tokens: rows of {@code system.login_keys}, which no statement reads. The newest one signs; older
 * ones verify until no token that they signed is valid any more.
 */
final class SigningKeys {
    private static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "login_keys"),
            TableKind.SYSTEM,
            List.of(
                    new Column("id", ColumnType.STRING),
                    new Column("secret", ColumnType.BYTES),
                    new Column("created_at", ColumnType.TIMESTAMP)),
            List.of(KeyColumn.ascending("id")),
            List.of(),
            TableOptions.DEFAULT);

    private static final RowCodec CODEC = RowCodec.of(SPEC);
    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 8;

    private final TableStore store;
    private final Table table;
    private final InstantSource clock;
    private final Duration signs;
    private final Duration verifies;
    private final SecureRandom random = new SecureRandom();

    /** By age, newest first. */
    private volatile List<Signing> keys;

    /** A secret and its name, without a text form that would show it. */
    @SuppressWarnings("ArrayRecordComponent") // Keys are never compared.
    record Signing(String id, byte[] secret, Instant created) {
        SecretKey key() {
            return new SecretKeySpec(secret, "HmacSHA256");
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /**
     * Reads the keys.
     *
     * @param signs how long a key signs
     * @param verifies how long after that its tokens are valid
     */
    SigningKeys(TableStore store, InstantSource clock, Duration signs, Duration verifies) {
        this.store = store;
        this.clock = clock;
        this.signs = signs;
        this.verifies = verifies;
        table = store.create(SPEC);
        List<Signing> stored = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                stored.add(decode(cursor.key(), cursor.value()));
            }
        }
        stored.sort(Comparator.comparing(Signing::created).reversed());
        keys = List.copyOf(stored);
    }

    /** The key that signs now; another one replaces it when it is old. */
    synchronized Signing current() {
        Instant now = clock.instant();
        boolean fresh = !keys.isEmpty() && now.isBefore(keys.get(0).created().plus(signs));
        return fresh ? keys.get(0) : rotate();
    }

    /** Begins to sign with another key. */
    synchronized Signing rotate() {
        Instant now = clock.instant();
        Signing made = new Signing(HexFormat.of().formatHex(random(ID_BYTES)), random(SECRET_BYTES), now);
        List<Signing> next = new ArrayList<>(List.of(made));
        Batch batch = new Batch();
        batch.put(table, CODEC.key(row(made)), CODEC.value(row(made)));
        for (Signing old : keys) {
            if (now.isBefore(old.created().plus(signs).plus(verifies))) {
                next.add(old);
            } else {
                batch.delete(table, CODEC.key(row(old)));
            }
        }
        store.commit(batch);
        keys = List.copyOf(next);
        return made;
    }

    List<SecretKey> named(String id) {
        return keys.stream()
                .filter(key -> key.id().equals(id))
                .map(Signing::key)
                .toList();
    }

    private byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        random.nextBytes(made);
        return made;
    }

    private static List<Value> row(Signing key) {
        return List.of(
                new Value.OfString(key.id()),
                new Value.OfBytes(Bytes.of(key.secret())),
                new Value.OfTimestamp(key.created().toEpochMilli() * 1000));
    }

    private static Signing decode(Bytes key, Bytes value) {
        List<Value> row = CODEC.row(key, value);
        return new Signing(
                ((Value.OfString) row.get(0)).value(),
                ((Value.OfBytes) row.get(1)).value().toByteArray(),
                Instant.ofEpochMilli(((Value.OfTimestamp) row.get(2)).micros() / 1000));
    }
}
