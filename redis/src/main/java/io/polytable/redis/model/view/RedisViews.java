package io.polytable.redis.model.view;

import io.polytable.frontend.view.RowLookup;
import io.polytable.frontend.view.SoughtRows;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewImport;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
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
import io.polytable.table.column.Value;
import java.time.Instant;
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

    /** The number of leading key columns of the rows of one key. */
    private static final int TOGETHER = 2;

    private final Keyspace keyspace;
    private final RedisTables tables;
    private final InstantSource clock;
    private final ViewNames names;
    private final ImportLimits limits;
    private final Form form;

    /**
     * The form of what readers see differently.
     *
     * @param deadlines the type of a deadline; milliseconds where it is no timestamp
     * @param listedMax larger collections have no list of sub-keys
     * @param listedCharsMax nor have those with a longer list
     */
    private record Form(ColumnType deadlines, long listedMax, int listedCharsMax) {
        static final Form OF_QUERIES = new Form(ColumnType.TIMESTAMP, 100_000, Integer.MAX_VALUE);

        /** A list of sub-keys is read and copied whenever an element changes. */
        static final Form OF_FOLLOWERS = new Form(ColumnType.BIGINT, 1000, 1 << 20);
    }

    private RedisViews(Keyspace keyspace, InstantSource clock, ViewNames names, ImportLimits limits, Form form) {
        this.keyspace = keyspace;
        tables = keyspace.tables();
        this.clock = clock;
        this.names = names;
        this.limits = limits;
        this.form = form;
    }

    /** Views for followers: what has expired is visible until its removal, which is a change. */
    static RedisViews followed(Keyspace keyspace) {
        return new RedisViews(keyspace, () -> Instant.EPOCH, ViewNames.USUAL, ImportLimits.STANDARD, Form.OF_FOLLOWERS);
    }

    /** All views of the key space; the clock decides what has expired. */
    public static List<View> of(Keyspace keyspace, InstantSource clock, ViewNames names) {
        return of(keyspace, clock, names, ImportLimits.STANDARD);
    }

    /** All views, whose imports use the given limits. */
    public static List<View> of(Keyspace keyspace, InstantSource clock, ViewNames names, ImportLimits limits) {
        return new RedisViews(keyspace, clock, names, limits, Form.OF_QUERIES).all();
    }

    private List<View> all() {
        List<Integer> every = everyPart();
        List<View> views = new ArrayList<>();
        views.add(dataView(names.data(), every));
        views.addAll(dataViews());
        views.add(memberView());
        names.members().ifPresent(name -> views.add(memberView(name, every)));
        views.add(subKeyView());
        if (tables.shards() > 0) {
            views.add(streamView(ViewNames.usual("redis_stream_data"), ElementKind.STREAM_ENTRY, every));
        }
        views.addAll(entryViews());
        views.add(groupView());
        views.add(pendingView());
        return views;
    }

    private List<Integer> everyPart() {
        return IntStream.range(0, tables.partCount()).boxed().toList();
    }

    /** The elements of the keys of each part. */
    List<View> dataViews() {
        return byPart("redis_internal_data", "redis_shard_%02d", this::dataView);
    }

    /** The entries of the streams of each part. */
    List<View> entryViews() {
        return byPart(
                "redis_stream_data",
                "redis_stream_shard_%02d",
                (name, parts) -> streamView(name, ElementKind.STREAM_ENTRY, parts));
    }

    private List<View> byPart(String only, String numbered, BiFunction<TableName, List<Integer>, View> view) {
        return tables.shards() == 0
                ? List.of(view.apply(ViewNames.usual(only), everyPart()))
                : everyPart().stream()
                        .map(part ->
                                view.apply(ViewNames.usual(String.format(Locale.ROOT, numbered, part)), List.of(part)))
                        .toList();
    }

    View memberView() {
        return memberView(ViewNames.usual("redis_internal_zset_index"), everyPart());
    }

    View groupView() {
        return streamView(ViewNames.usual("redis_stream_consumer_groups"), ElementKind.STREAM_GROUP, everyPart());
    }

    View pendingView() {
        return streamView(ViewNames.usual("redis_stream_pending_entries"), ElementKind.STREAM_PENDING, everyPart());
    }

    private View dataView(TableName name, List<Integer> parts) {
        List<Column> columns = List.of(
                KEY,
                new Column("sub_key", ColumnType.BYTES),
                new Column("redis_type", ColumnType.STRING),
                new Column("score", ColumnType.DOUBLE),
                new Column("value", ColumnType.BYTES),
                new Column("expire_at", form.deadlines()),
                DATABASE);
        return new RedisView(
                name,
                columns,
                List.of("db", "redis_key", "sub_key"),
                (reader, scan) -> new ElementRows(
                        elements(reader, scan.map(wanted -> new ScanScope(tables, wanted, parts)), "sub_key"),
                        any -> true,
                        RedisViews::addData),
                Optional.of(importer(columns, new ImportedElements(limits.packing())::write)),
                Optional.empty());
    }

    private View memberView(TableName name, List<Integer> parts) {
        List<Column> columns =
                List.of(KEY, new Column("member", ColumnType.BYTES), new Column("score", ColumnType.DOUBLE), DATABASE);
        return new RedisView(
                name,
                columns,
                List.of("db", "redis_key", "member"),
                (reader, scan) -> new ElementRows(
                        elements(reader, scan.map(wanted -> new ScanScope(tables, wanted, parts)), "member"),
                        RedisViews::isMember,
                        RedisViews::addMember),
                Optional.empty(),
                Optional.of(names.data()));
    }

    View subKeyView() {
        return new RedisView(
                ViewNames.usual("redis_internal_subkey_index"),
                List.of(KEY, new Column("sub_keys", ColumnType.STRING), DATABASE),
                List.of("db", "redis_key"),
                (reader, scan) -> new SubKeyRows(
                        tables,
                        reader,
                        keys(reader, scan.map(wanted -> new ScanScope(tables, wanted, everyPart()))),
                        form.listedMax(),
                        form.listedCharsMax()),
                Optional.empty(),
                Optional.of(names.data()));
    }

    private View streamView(TableName name, ElementKind kind, List<Integer> parts) {
        return new RedisView(
                name,
                StreamValues.columns(kind),
                StreamValues.keyColumns(kind),
                (reader, scan) -> {
                    Optional<ScanScope> scope =
                            scan.map(wanted -> new ScanScope(tables, wanted, parts, StreamValues.KEY_COLUMN));
                    Bytes prefix = scope.map(known -> known.streamPrefix(kind)).orElse(Bytes.EMPTY);
                    return new LiveStreams(tables, reader, keys(reader, scope), kind, prefix);
                },
                Optional.of(
                        importer(StreamValues.columns(kind), new ImportedStreams(limits.streamNodes()).writer(kind))),
                Optional.empty());
    }

    private ViewImport importer(List<Column> columns, KeyImport.Writer writer) {
        return new KeyImport(keyspace, clock, columns.indexOf(DATABASE), writer);
    }

    private LiveElements elements(Reader reader, Optional<ScanScope> scope, String subColumn) {
        return new LiveElements(tables, reader, keys(reader, scope), scope.flatMap(known -> known.only(subColumn)));
    }

    private LiveKeys keys(Reader reader, Optional<ScanScope> scope) {
        return new LiveKeys(tables, reader, scope.map(known -> known.keys(reader)), clock.millis());
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
            boolean isTimestamp = target.column().type() == ColumnType.TIMESTAMP;
            long micros = millis > Long.MAX_VALUE / MICROS_PER_MILLI ? Long.MAX_VALUE : millis * MICROS_PER_MILLI;
            ((ColumnVector.OfLongs) target).add(isTimestamp ? micros : millis);
        } else {
            target.addAbsent();
        }
    }

    private static void addDatabase(LiveElements at, ColumnVector target) {
        ((ColumnVector.OfInts) target).add(at.key().database());
    }

    /** Opens rows for a scan; without one they are only sought. */
    @FunctionalInterface
    private interface Source {
        SoughtRows.Rows open(Reader reader, Optional<ViewScan> scan);
    }

    /** A view whose rows are computed by a walk over keys. */
    private record RedisView(
            TableName name,
            List<Column> columns,
            List<String> key,
            Source rows,
            Optional<ViewImport> importer,
            Optional<TableName> importedInto)
            implements View {
        @Override
        public String writer() {
            return "the Redis frontend";
        }

        @Override
        public int together() {
            return TOGETHER;
        }

        @Override
        public ViewRows candidates(Reader reader, ViewScan scan) {
            return rows.open(reader, Optional.of(scan));
        }

        @Override
        public RowLookup lookup(Reader reader) {
            return new SoughtRows(this, rows.open(reader, Optional.empty()));
        }
    }

    /** Adds the value of one column of the element. */
    @FunctionalInterface
    private interface Shape {
        void add(LiveElements at, int column, ColumnVector target);
    }

    private record ElementRows(LiveElements elements, Predicate<LiveElements> shown, Shape shape)
            implements SoughtRows.Rows {
        @Override
        public boolean seek(List<Value> key) {
            return elements.seek(
                            ((Value.OfInt) key.get(0)).value(),
                            ((Value.OfBytes) key.get(1)).value(),
                            ((Value.OfBytes) key.get(2)).value())
                    && shown.test(elements);
        }

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
