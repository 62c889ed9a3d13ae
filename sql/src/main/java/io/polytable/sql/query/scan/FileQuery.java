package io.polytable.sql.query.scan;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.cache.CacheView;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.DateTimeParser;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The SQL of one scan with its Parquet files: {@code hot UNION ALL (cold ANTI JOIN all hot keys)}. DuckDB reads the
 * files itself. A tombstone in the store hides a row in a file just as a newer row does, so the anti join reads
 * tombstones, too. It is left out if the store has no keys in the files' range.
 */
public final class FileQuery {
    private final ScanSlot slot;
    private final List<OpenScan> scans = new ArrayList<>();
    private final FileScan files;
    private final Optional<CacheView> cache;

    private FileQuery(ScanSlot slot, FileScan files, Optional<CacheView> cache) {
        this.slot = slot;
        this.files = files;
        this.cache = cache;
    }

    /**
     * Opens one scan with its files.
     *
     * @param cache the column cache's view, to read instead of the rows in the store
     */
    public static FileQuery open(
            ScanSlot slot, Reader reader, String user, List<Condition> conditions, Optional<CacheView> cache) {
        Relation relation = slot.relation();
        AccessPath path = relation.plan(user, conditions);
        if (!slot.files()) {
            FileScan none = new FileScan(relation, relation, List.of(), List.of(), () -> {});
            FileQuery plain = new FileQuery(slot, none, cache);
            plain.addHot(relation, reader, user, path);
            return plain;
        }
        Relation.Request request = new Relation.Request(user, List.of(), path, slot.withDeleted());
        FileQuery query = new FileQuery(slot, relation.files(reader, request), cache);
        query.addHot(query.files.hot(), reader, user, path);
        if (query.files.parts().stream().anyMatch(FileScan.Part::meetsHot)) {
            query.scans.add(new OpenScan(query.files.hiding(), true, reader, user, path));
        }
        return query;
    }

    private void addHot(Relation hot, Reader reader, String user, AccessPath path) {
        if (cache.isEmpty()) {
            scans.add(new OpenScan(hot, slot.withDeleted(), reader, user, path));
            return;
        }
        SqlTable table = (SqlTable) slot.relation();
        cache.get().changed().forEach(range -> scans.add(OpenScan.within(table, range, reader)));
    }

    /** The scans of the store's rows, and last the scan of the keys that may hide rows in files, if there is one. */
    public List<OpenScan> scans() {
        return scans;
    }

    /** Whether it reads the store only, so that its text is the same in the next query. */
    public boolean isPlain() {
        return !slot.files() && cache.isEmpty();
    }

    public void release() {
        files.release().run();
    }

    /**
     * The query that reads the rows.
     *
     * @param numbers the numbers of {@link #scans}
     */
    public String text(List<Long> numbers) {
        String hot = cache.map(view -> cached(view, numbers)).orElseGet(() -> ScanFunction.call(numbers.get(0)));
        String rows = ScanTypes.source(slot, hot);
        if (!slot.files()) {
            return rows;
        }
        String columns = slot.columns().stream()
                .map(column -> Quoted.name(column.name()))
                .collect(Collectors.joining(", "));
        return rows + " UNION ALL SELECT " + columns + " FROM (" + cold(numbers) + ")";
    }

    /** Reads the blocks of the cache, and scans the key ranges that have changed. */
    private String cached(CacheView view, List<Long> numbers) {
        String columns = "SELECT " + DuckBlocks.columns((SqlTable) slot.relation()) + " FROM ";
        StringBuilder sql = new StringBuilder("(");
        int scan = 0;
        for (CacheView.Part part : view.parts()) {
            sql.append(sql.length() > 1 ? " UNION ALL " : "").append(columns);
            sql.append(part instanceof CacheView.Cached block ? block.name() : ScanFunction.call(numbers.get(scan++)));
        }
        return sql.append(')').toString();
    }

    private String cold(List<Long> numbers) {
        List<RelationColumn> columns = slot.relation().columns().stream()
                .filter(column -> !column.type().is(SqlType.Kind.UNKNOWN))
                .toList();
        if (files.parts().isEmpty()) {
            String nothing = columns.stream()
                    .map(column -> "CAST(NULL AS " + column.type().duckText() + ") AS " + Quoted.name(column.name()))
                    .collect(Collectors.joining(", "));
            return "SELECT " + nothing + " WHERE false";
        }
        return files.parts().stream()
                .map(part -> part(part, columns, numbers))
                .collect(Collectors.joining(" UNION ALL "));
    }

    private String part(FileScan.Part part, List<RelationColumn> columns, List<Long> numbers) {
        StringBuilder sql = new StringBuilder("SELECT ");
        sql.append(columns.stream().map(column -> column(part, column)).collect(Collectors.joining(", ")));
        sql.append(" FROM ").append(parquet(part.files())).append(" AS cold");
        Map<List<String>, List<Path>> hiders = part.hiders().stream()
                .collect(Collectors.groupingBy(
                        FileScan.Hider::keys, Collectors.mapping(FileScan.Hider::file, Collectors.toList())));
        int number = 0;
        for (Map.Entry<List<String>, List<Path>> each : hiders.entrySet()) {
            List<String> keys = each.getKey().stream().map(Quoted::name).toList();
            String newer = "SELECT " + String.join(", ", keys) + " FROM " + parquet(each.getValue());
            sql.append(antiJoin(part, newer + users(part, " WHERE "), "newer" + number++, keys));
        }
        if (part.meetsHot()) {
            List<String> keys = files.keys().stream().map(Quoted::name).toList();
            String hot = "SELECT "
                    + files.hot().columns().stream()
                            .filter(column -> files.keys().contains(column.name()))
                            .map(column ->
                                    ScanTypes.converted(files.hot(), column) + " AS " + Quoted.name(column.name()))
                            .collect(Collectors.joining(", "))
                    + " FROM " + ScanFunction.call(numbers.get(numbers.size() - 1));
            sql.append(antiJoin(part, hot, "hot", keys));
        }
        // The column is not read if the manifest says that the files have no tombstones.
        boolean all = slot.withDeleted() || !part.hasDeleted();
        String live = all ? " WHERE true" : " WHERE NOT cold." + TableDef.DELETED;
        return sql.append(live).append(users(part, " AND ")).toString();
    }

    private static String users(FileScan.Part part, String before) {
        return part.user().isEmpty() ? "" : before + "_user_id = " + text(part.user());
    }

    private String antiJoin(FileScan.Part part, String rows, String alias, List<String> theirs) {
        String equal = IntStream.range(0, files.keys().size())
                .mapToObj(i ->
                        "cold." + Quoted.name(inFile(part, files.keys().get(i))) + " = " + alias + "." + theirs.get(i))
                .collect(Collectors.joining(" AND "));
        return " ANTI JOIN (" + rows + ") AS " + alias + " ON " + equal;
    }

    private static String inFile(FileScan.Part part, String column) {
        return part.names().getOrDefault(column, column);
    }

    private static String column(FileScan.Part part, RelationColumn column) {
        String type = column.type().duckText();
        String name = part.names().get(column.name());
        String value = name != null
                ? "cold." + Quoted.name(name)
                : part.initial().containsKey(column.name())
                        ? literal(column.type(), part.initial().getOrDefault(column.name(), ""))
                        : "NULL";
        return "CAST(" + value + " AS " + type + ") AS " + Quoted.name(column.name());
    }

    private static String literal(SqlType type, String text) {
        if (type.is(SqlType.Kind.BYTES)) {
            return "unhex('" + HexFormat.of().formatHex(Texts.toBytes(text).toByteArray()) + "')";
        }
        if (type.is(SqlType.Kind.DATE) || type.is(SqlType.Kind.TIMESTAMP)) {
            // Its text is PostgreSQL's, which DuckDB reads only within our era.
            Object value = Casts.to(type, text);
            return value == null ? "NULL" : text(DateTimeParser.iso(Texts.of(value)));
        }
        return text(text);
    }

    /** A string literal; control characters and quotes cannot be in a query's text as they are. */
    private static String text(String value) {
        boolean plain = value.chars().allMatch(c -> c >= ' ' && c != '\'');
        return plain
                ? "'" + value + "'"
                : "decode(unhex('" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8)) + "'))";
    }

    private static String parquet(List<Path> paths) {
        return paths.stream()
                .map(path -> "'" + path.toString().replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "read_parquet([", "], hive_partitioning = false)"));
    }
}
