package io.polytable.redis.model.view;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Column;
import io.polytable.table.ColumnType;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.TableView;
import io.polytable.table.Value;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The tables in which SQL, exports and projections see what Redis clients wrote: only live rows, no headers, whatever
 * the layout beneath. docs/redis.md describes them for users.
 */
public final class RedisViews {
    private static final String NAMESPACE = "default";
    private static final Column KEY = new Column("redis_key", ColumnType.BYTES);
    private static final Column DATABASE = new Column("db", ColumnType.INT);
    private static final Value ABSENT = new Value.Absent();
    private static final long MICROS_PER_MILLI = 1000;

    private final RedisTables tables;
    private final InstantSource clock;

    private RedisViews(RedisTables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** All views of the keyspace; the clock tells what has expired. */
    public static List<TableView> of(Keyspace keyspace, InstantSource clock) {
        return new RedisViews(keyspace.tables(), clock).all();
    }

    private List<TableView> all() {
        List<TableView> views = new ArrayList<>();
        views.add(dataView("redis_data", reader -> new KeyRows(tables, reader)));
        if (tables.shards() == 0) {
            views.add(dataView("redis_internal_data", reader -> new KeyRows(tables, reader)));
        }
        for (int shard = 0; shard < tables.shards(); shard++) {
            int part = shard;
            views.add(dataView(
                    String.format(Locale.ROOT, "redis_shard_%02d", shard),
                    reader -> new KeyRows(tables, reader, part)));
        }
        views.add(memberView("redis_internal_zset_index"));
        views.add(memberView("redis_zset_members"));
        views.add(subKeyView());
        return views;
    }

    private TableView dataView(String name, Function<Reader, KeyRows> rows) {
        List<Column> columns = List.of(
                KEY,
                new Column("sub_key", ColumnType.BYTES),
                new Column("redis_type", ColumnType.STRING),
                new Column("score", ColumnType.DOUBLE),
                new Column("value", ColumnType.BYTES),
                new Column("expire_at", ColumnType.TIMESTAMP),
                DATABASE);
        return new ShownRows(
                new TableName(NAMESPACE, name),
                columns,
                List.of("db", "redis_key", "sub_key"),
                reader -> new ShownElements(elements(reader, rows.apply(reader)), any -> true, RedisViews::dataRow));
    }

    private TableView memberView(String name) {
        List<Column> columns =
                List.of(KEY, new Column("member", ColumnType.BYTES), new Column("score", ColumnType.DOUBLE), DATABASE);
        return new ShownRows(
                new TableName(NAMESPACE, name),
                columns,
                List.of("db", "redis_key", "member"),
                reader -> new ShownElements(
                        elements(reader, new KeyRows(tables, reader)), RedisViews::isMember, RedisViews::memberRow));
    }

    private TableView subKeyView() {
        return new ShownRows(
                new TableName(NAMESPACE, "redis_internal_subkey_index"),
                List.of(KEY, new Column("sub_keys", ColumnType.STRING), DATABASE),
                List.of("db", "redis_key"),
                reader -> new SubKeyRows(tables, reader, keys(reader, new KeyRows(tables, reader))));
    }

    private LiveElements elements(Reader reader, KeyRows rows) {
        return new LiveElements(tables, reader, keys(reader, rows));
    }

    private LiveKeys keys(Reader reader, KeyRows rows) {
        return new LiveKeys(tables, reader, rows, clock.millis());
    }

    private static boolean isMember(LiveElements at) {
        return at.key().header().type() == Type.ZSET;
    }

    private static List<Value> dataRow(LiveElements at) {
        Header header = at.key().header();
        return List.of(
                new Value.OfBytes(at.key().key()),
                new Value.OfBytes(at.sub()),
                new Value.OfString(header.type().text()),
                isMember(at) ? new Value.OfDouble(at.score()) : ABSENT,
                new Value.OfBytes(at.value()),
                header.hasDeadline() ? timestamp(header.expireAt()) : ABSENT,
                new Value.OfInt(at.key().database()));
    }

    private static List<Value> memberRow(LiveElements at) {
        return List.of(
                new Value.OfBytes(at.key().key()),
                new Value.OfBytes(at.sub()),
                new Value.OfDouble(at.score()),
                new Value.OfInt(at.key().database()));
    }

    /** A deadline may be farther away than a timestamp reaches. */
    private static Value timestamp(long millis) {
        return new Value.OfTimestamp(
                millis > Long.MAX_VALUE / MICROS_PER_MILLI ? Long.MAX_VALUE : millis * MICROS_PER_MILLI);
    }

    /** A view whose rows come from a cursor. */
    private record ShownRows(
            TableName name, List<Column> columns, List<String> key, Function<Reader, TableView.RowCursor> rows)
            implements TableView {
        @Override
        public RowCursor open(Reader reader) {
            return rows.apply(reader);
        }
    }

    /** Rows of elements. */
    private record ShownElements(
            LiveElements elements, Predicate<LiveElements> shown, Function<LiveElements, List<Value>> shape)
            implements TableView.RowCursor {
        @Override
        public boolean next() {
            while (elements.next()) {
                if (shown.test(elements)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public List<Value> row() {
            return shape.apply(elements);
        }

        @Override
        public void close() {
            elements.close();
        }
    }
}
