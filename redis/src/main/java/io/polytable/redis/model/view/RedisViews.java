package io.polytable.redis.model.view;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.view.TableView;
import io.polytable.table.view.ViewBatches;
import io.polytable.table.view.ViewImport;
import io.polytable.table.view.ViewRows;
import io.polytable.table.view.ViewScan;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The views in which SQL, exports and projections see what Redis clients wrote: only live rows, no headers, whatever
 * the layout beneath. docs/redis.md describes them for users.
 */
public final class RedisViews {
    private static final Column KEY = new Column("redis_key", ColumnType.BYTES);
    private static final Column DATABASE = new Column("db", ColumnType.INT);
    private static final Map<Type, Bytes> TYPES = Arrays.stream(Type.values())
            .collect(Collectors.toUnmodifiableMap(type -> type, type -> Bytes.utf8(type.text())));
    private static final long MICROS_PER_MILLI = 1000;

    private final Keyspace keyspace;
    private final RedisTables tables;
    private final InstantSource clock;

    private final ViewNames names;
    private final ImportLimits limits;

    private RedisViews(Keyspace keyspace, InstantSource clock, ViewNames names, ImportLimits limits) {
        this.keyspace = keyspace;
        tables = keyspace.tables();
        this.clock = clock;
        this.names = names;
        this.limits = limits;
    }

    /** All views of the key space; the clock decides what has expired. */
    public static List<TableView> of(Keyspace keyspace, InstantSource clock, ViewNames names) {
        return of(keyspace, clock, names, ImportLimits.STANDARD);
    }

    /** All views, whose imports use the given limits. */
    public static List<TableView> of(Keyspace keyspace, InstantSource clock, ViewNames names, ImportLimits limits) {
        return new RedisViews(keyspace, clock, names, limits).all();
    }

    private List<TableView> all() {
        List<Integer> every = IntStream.range(0, tables.partCount()).boxed().toList();
        List<TableView> views = new ArrayList<>();
        views.add(dataView(names.data(), every));
        if (tables.shards() == 0) {
            views.add(dataView(ViewNames.usual("redis_internal_data"), every));
        }
        for (int shard = 0; shard < tables.shards(); shard++) {
            views.add(dataView(ViewNames.usual(String.format(Locale.ROOT, "redis_shard_%02d", shard)), List.of(shard)));
        }
        views.add(memberView(ViewNames.usual("redis_internal_zset_index"), every));
        names.members().ifPresent(name -> views.add(memberView(name, every)));
        views.add(subKeyView(every));
        views.add(streamView("redis_stream_data", ElementKind.STREAM_ENTRY, every));
        for (int shard = 0; shard < tables.shards(); shard++) {
            String name = String.format(Locale.ROOT, "redis_stream_shard_%02d", shard);
            views.add(streamView(name, ElementKind.STREAM_ENTRY, List.of(shard)));
        }
        views.add(streamView("redis_stream_consumer_groups", ElementKind.STREAM_GROUP, every));
        views.add(streamView("redis_stream_pending_entries", ElementKind.STREAM_PENDING, every));
        return views;
    }

    private TableView dataView(TableName name, List<Integer> parts) {
        List<Column> columns = List.of(
                KEY,
                new Column("sub_key", ColumnType.BYTES),
                new Column("redis_type", ColumnType.STRING),
                new Column("score", ColumnType.DOUBLE),
                new Column("value", ColumnType.BYTES),
                new Column("expire_at", ColumnType.TIMESTAMP),
                DATABASE);
        return new RedisView(
                name,
                columns,
                List.of("db", "redis_key", "sub_key"),
                (reader, scan) -> new ElementRows(
                        elements(reader, new ScanScope(tables, scan, parts), "sub_key"),
                        any -> true,
                        RedisViews::addData),
                Optional.of(importer(columns, new ImportedElements(limits.packing())::write)),
                Optional.empty());
    }

    private TableView memberView(TableName name, List<Integer> parts) {
        List<Column> columns =
                List.of(KEY, new Column("member", ColumnType.BYTES), new Column("score", ColumnType.DOUBLE), DATABASE);
        return new RedisView(
                name,
                columns,
                List.of("db", "redis_key", "member"),
                (reader, scan) -> new ElementRows(
                        elements(reader, new ScanScope(tables, scan, parts), "member"),
                        RedisViews::isMember,
                        RedisViews::addMember),
                Optional.empty(),
                Optional.of(names.data()));
    }

    private TableView subKeyView(List<Integer> parts) {
        return new RedisView(
                ViewNames.usual("redis_internal_subkey_index"),
                List.of(KEY, new Column("sub_keys", ColumnType.STRING), DATABASE),
                List.of("db", "redis_key"),
                (reader, scan) -> new SubKeyRows(tables, reader, keys(reader, new ScanScope(tables, scan, parts))),
                Optional.empty(),
                Optional.of(names.data()));
    }

    private TableView streamView(String name, ElementKind kind, List<Integer> parts) {
        return new RedisView(
                ViewNames.usual(name),
                StreamValues.columns(kind),
                StreamValues.keyColumns(kind),
                (reader, scan) -> {
                    ScanScope scope = new ScanScope(tables, scan, parts, StreamValues.KEY_COLUMN);
                    return new LiveStreams(tables, reader, keys(reader, scope), kind, scope.streamPrefix(kind));
                },
                Optional.of(
                        importer(StreamValues.columns(kind), new ImportedStreams(limits.streamNodes()).writer(kind))),
                Optional.empty());
    }

    private ViewImport importer(List<Column> columns, KeyImport.Writer writer) {
        return new KeyImport(keyspace, clock, columns.indexOf(DATABASE), writer);
    }

    private LiveElements elements(Reader reader, ScanScope scope, String subColumn) {
        return new LiveElements(tables, reader, keys(reader, scope), scope.only(subColumn));
    }

    private LiveKeys keys(Reader reader, ScanScope scope) {
        return new LiveKeys(tables, reader, scope.keys(reader), clock.millis());
    }

    private static boolean isMember(LiveElements at) {
        return at.key().header().type() == Type.ZSET;
    }

    private static void addData(LiveElements at, int column, ColumnVector target) {
        Header header = at.key().header();
        switch (column) {
            case 0 -> addBytes(at.key().key(), target);
            case 1 -> addBytes(at.sub(), target);
            case 2 -> addBytes(Objects.requireNonNull(TYPES.get(header.type())), target);
            case 3 -> addScore(at, target);
            case 4 -> addValue(at, target);
            case 5 -> addDeadline(header, target);
            default -> addDatabase(at, target);
        }
    }

    private static void addValue(LiveElements at, ColumnVector target) {
        if (at.isTooLong()) {
            target.addAbsent();
        } else {
            addBytes(at.value(), target);
        }
    }

    private static void addMember(LiveElements at, int column, ColumnVector target) {
        switch (column) {
            case 0 -> addBytes(at.key().key(), target);
            case 1 -> addBytes(at.sub(), target);
            case 2 -> addScore(at, target);
            default -> addDatabase(at, target);
        }
    }

    private static void addBytes(Bytes value, ColumnVector target) {
        ((ColumnVector.OfBytes) target).add(value);
    }

    private static void addBytes(ByteSlice value, ColumnVector target) {
        ((ColumnVector.OfBytes) target).add(value.array(), value.offset(), value.length());
    }

    private static void addScore(LiveElements at, ColumnVector target) {
        if (isMember(at)) {
            ((ColumnVector.OfDoubles) target).add(at.score());
        } else {
            target.addAbsent();
        }
    }

    /** Clamps a deadline that is farther away than a timestamp reaches. */
    private static void addDeadline(Header header, ColumnVector target) {
        if (header.hasDeadline()) {
            long millis = header.expireAt();
            ((ColumnVector.OfLongs) target)
                    .add(millis > Long.MAX_VALUE / MICROS_PER_MILLI ? Long.MAX_VALUE : millis * MICROS_PER_MILLI);
        } else {
            target.addAbsent();
        }
    }

    private static void addDatabase(LiveElements at, ColumnVector target) {
        ((ColumnVector.OfInts) target).add(at.key().database());
    }

    /** A view whose rows are computed by a walk over keys. */
    private record RedisView(
            TableName name,
            List<Column> columns,
            List<String> key,
            BiFunction<Reader, ViewScan, ViewRows> rows,
            Optional<ViewImport> importer,
            Optional<TableName> importedInto)
            implements TableView {
        @Override
        public String writer() {
            return "the Redis frontend";
        }

        @Override
        public BatchCursor open(Reader reader, ViewScan scan) {
            return ViewBatches.open(this, scan, () -> rows.apply(reader, scan));
        }
    }

    /** Adds the value of one column of the element. */
    @FunctionalInterface
    private interface Shape {
        void add(LiveElements at, int column, ColumnVector target);
    }

    private record ElementRows(LiveElements elements, Predicate<LiveElements> shown, Shape shape) implements ViewRows {
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
        public void add(int column, ColumnVector target) {
            shape.add(elements, column, target);
        }

        @Override
        public void close() {
            elements.close();
        }
    }
}
