package io.polytable.frontend.user;

import io.polytable.frontend.session.FailureLog;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins, and changes of users and of what they may do, as rows of {@code system.audit_logs}; {@code docs/formats/users.md}
 * describes the columns. Every new entry removes a few that are too old or too many. Thread safe.
 */
public final class AuditLog {
    private static final TableSpec SPEC = new TableSpec(
            new TableName(TableName.SYSTEM_NAMESPACE, "audit_logs"),
            TableKind.SYSTEM,
            List.of(
                    new Column("number", ColumnType.BIGINT),
                    new Column("at", ColumnType.TIMESTAMP),
                    new Column("user_id", ColumnType.STRING),
                    new Column("protocol", ColumnType.STRING),
                    new Column("client_address", ColumnType.STRING),
                    new Column("event", ColumnType.STRING),
                    new Column("object", ColumnType.STRING),
                    new Column("done", ColumnType.BOOLEAN),
                    new Column("detail", ColumnType.STRING)),
            List.of(KeyColumn.ascending("number")),
            List.of(),
            TableOptions.DEFAULT);

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final RowCodec CODEC = RowCodec.of(SPEC);

    /** More than one, so that a lowered limit is reached after a while. */
    private static final int REMOVED_PER_ENTRY = 4;

    private static final int TEXT_CHARS_MAX = 256;

    private final TableStore store;
    private final Table table;
    private final InstantSource clock;
    private final Limits limits;
    private long last;

    /** How many entries are kept, and for how long. */
    public record Limits(int entriesMax, Duration ageMax) {
        public static final Limits DEFAULT = new Limits(10_000, Duration.ofDays(90));
    }

    AuditLog(TableStore store, InstantSource clock, Limits limits) {
        this.store = store;
        this.clock = clock;
        this.limits = limits;
        table = store.create(SPEC);
        try (Cursor cursor = store.scan(table, KeyRange.ALL, Direction.REVERSE, 1)) {
            last = cursor.next() ? number(CODEC.row(cursor.key(), cursor.value())) : 0;
        }
    }

    /** Records an event in a commit of its own. A store that takes no writes must not keep anybody from logging in. */
    public void record(Actor actor, AuditEntry.Event event, String object, boolean isDone, String detail) {
        try {
            Batch batch = new Batch();
            add(batch, actor, event, object, isDone, detail);
            store.commit(batch);
        } catch (StoreException refused) {
            FailureLog.report(LOG, "an entry of system.audit_logs", refused.error(), refused);
        }
    }

    /** Adds an event to the commit of what it is about. */
    synchronized void add(
            Batch batch, Actor actor, AuditEntry.Event event, String object, boolean isDone, String detail) {
        Instant now = clock.instant();
        last++;
        AuditEntry entry = new AuditEntry(now, actor, event.name().toLowerCase(Locale.ROOT), object, isDone, detail);
        List<Value> row = row(last, entry);
        batch.put(table, CODEC.key(row), CODEC.value(row));
        Instant expired = now.minus(limits.ageMax());
        try (Cursor oldest = store.scan(table, KeyRange.ALL)) {
            for (int i = 0; i < REMOVED_PER_ENTRY && oldest.next(); i++) {
                List<Value> old = CODEC.row(oldest.key(), oldest.value());
                if (number(old) <= last - limits.entriesMax()
                        || UserRows.time(old.get(1)).isBefore(expired)) {
                    batch.delete(table, CODEC.key(old));
                }
            }
        }
    }

    static List<Value> row(long number, AuditEntry entry) {
        return List.of(
                new Value.OfBigint(number),
                new Value.OfTimestamp(UserRows.micros(entry.at())),
                text(entry.actor().name()),
                text(entry.actor().protocol()),
                text(entry.actor().address()),
                text(entry.event()),
                text(entry.object()),
                new Value.OfBoolean(entry.isDone()),
                text(entry.detail()));
    }

    static Bytes value(List<Value> row) {
        return CODEC.value(row);
    }

    /** Clients choose some of these texts. */
    private static Value text(String text) {
        return new Value.OfString(text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX) + "...");
    }

    private static long number(List<Value> row) {
        return ((Value.OfBigint) row.get(0)).value();
    }

    /** Oldest first. */
    public List<AuditEntry> all() {
        List<AuditEntry> entries = new ArrayList<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                entries.add(decode(cursor.key(), cursor.value()));
            }
        }
        return entries;
    }

    private static AuditEntry decode(Bytes key, Bytes value) {
        List<Value> row = CODEC.row(key, value);
        return new AuditEntry(
                UserRows.time(row.get(1)),
                new Actor(UserRows.text(row.get(2)), UserRows.text(row.get(3)), UserRows.text(row.get(4))),
                UserRows.text(row.get(5)),
                UserRows.text(row.get(6)),
                UserRows.isTrue(row.get(7)),
                UserRows.text(row.get(8)));
    }
}
