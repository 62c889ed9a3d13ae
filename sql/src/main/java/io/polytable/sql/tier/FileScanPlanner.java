package io.polytable.sql.tier;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.FileScan;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.manifest.FileColumn;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.LocalFiles;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.TableKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Plans from manifests which segments a query reads, and which of their rows newer segments or the store hide. */
final class FileScanPlanner {
    /** Beyond this many segments the store is not asked about each; it is assumed to hold keys in their ranges. */
    private static final int ASKED_MAX = 200;

    /**
     * The scan of the store skips the key range of a segment of at least this many rows if the store holds none in it.
     */
    private static final long PASSED_ROWS_MIN = 10_000;

    private final SqlTable table;
    private final LocalFiles local;
    private final List<Path> pinned = new ArrayList<>();

    FileScanPlanner(SqlTable table, LocalFiles local) {
        this.table = table;
        this.local = local;
    }

    /** A segment with its columns as the manifest describes them. */
    private record Read(Segment segment, List<FileColumn> columns, boolean packed) {}

    /** What the segments of one part of the query have in common. */
    private record Group(int schema, boolean packed, boolean meetsHot, List<Long> hiders) {}

    FileScan of(Reader reader, List<Manifest> manifests, Relation.Request request) {
        List<Read> all = reads(manifests, request);
        return released(() -> scan(reader, all, request));
    }

    /** A scan of one manifest; the store hides none of its rows. */
    FileScan past(Manifest manifest, Relation.Request request, Relation nothing) {
        List<Read> all = reads(List.of(manifest), request);
        return released(() -> scan(all, request, segment -> false, ranges -> nothing));
    }

    private FileScan released(Supplier<FileScan> scan) {
        try {
            return scan.get();
        } catch (RuntimeException failure) {
            release();
            throw failure;
        }
    }

    private List<Read> reads(List<Manifest> manifests, Relation.Request request) {
        List<KeyRange> ranges = request.path().ranges();
        List<Read> all = new ArrayList<>();
        for (Manifest manifest : manifests) {
            boolean packed =
                    table.def().kind() == TableKind.USER && manifest.scope().isEmpty();
            for (Segment segment : manifest.segments()) {
                if (ranges.stream().anyMatch(segment::overlaps)) {
                    all.add(new Read(segment, manifest.columns(segment), packed));
                }
            }
        }
        return all;
    }

    private FileScan scan(Reader reader, List<Read> all, Relation.Request request) {
        return scan(all, request, segment -> all.size() > ASKED_MAX || meetsHot(reader, segment), table::hot);
    }

    private FileScan scan(
            List<Read> all,
            Relation.Request request,
            Predicate<Segment> meeting,
            Function<List<KeyRange>, Relation> hot) {
        List<Segment> met = new ArrayList<>();
        List<Segment> passed = new ArrayList<>();
        Map<Group, List<Read>> groups = new LinkedHashMap<>();
        for (Read read : all) {
            List<Long> hiders = all.stream()
                    .map(Read::segment)
                    .filter(read.segment()::isHiddenBy)
                    .map(Segment::id)
                    .toList();
            boolean meets = meeting.test(read.segment());
            if (meets) {
                met.add(read.segment());
            } else if (read.segment().rows() >= PASSED_ROWS_MIN) {
                passed.add(read.segment());
            }
            Group group = new Group(read.segment().schemaVersion(), read.packed(), meets, hiders);
            groups.computeIfAbsent(group, same -> new ArrayList<>()).add(read);
        }
        List<FileScan.Part> parts = new ArrayList<>();
        groups.forEach((group, reads) -> parts.add(part(group, reads, all, request)));
        List<String> keys = table.def().hasRowId() ? List.of(TableDef.ROW_ID) : table.key();
        return new FileScan(hot.apply(outside(covered(passed))), hot.apply(covered(met)), keys, parts, this::release);
    }

    /** The gaps between the ranges. Rows that were flushed recently still cost a scan that passes their old place. */
    private static List<KeyRange> outside(List<KeyRange> ranges) {
        List<KeyRange> outside = new ArrayList<>();
        Bytes from = Bytes.EMPTY;
        for (KeyRange range : ranges) {
            outside.add(KeyRange.between(from, range.from()));
            from = range.to();
        }
        outside.add(KeyRange.between(from, Bytes.EMPTY));
        return outside;
    }

    /** The key ranges that the segments cover, sorted and disjoint. */
    private static List<KeyRange> covered(List<Segment> segments) {
        List<Segment> sorted =
                segments.stream().sorted(Comparator.comparing(Segment::minKey)).toList();
        List<KeyRange> ranges = new ArrayList<>();
        for (Segment segment : sorted) {
            Bytes end = segment.maxKey().concat(Bytes.of(new byte[1]));
            KeyRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
            if (last == null || last.to().compareTo(segment.minKey()) < 0) {
                ranges.add(KeyRange.between(segment.minKey(), end));
            } else if (last.to().compareTo(end) < 0) {
                ranges.set(ranges.size() - 1, KeyRange.between(last.from(), end));
            }
        }
        return ranges;
    }

    private boolean meetsHot(Reader reader, Segment segment) {
        KeyRange range = KeyRange.between(segment.minKey(), segment.maxKey().concat(Bytes.of(new byte[1])));
        try (Cursor cursor = reader.scan(table.table(), range, Direction.FORWARD, 1)) {
            return cursor.next();
        }
    }

    private FileScan.Part part(Group group, List<Read> reads, List<Read> all, Relation.Request request) {
        List<FileScan.Hider> hiders = all.stream()
                .filter(read -> group.hiders().contains(read.segment().id()))
                .map(read -> new FileScan.Hider(pin(read.segment()), keyNames(read.columns())))
                .toList();
        Map<String, String> names = new TreeMap<>();
        Map<String, String> initial = new TreeMap<>();
        for (ColumnDef column : table.def().columns()) {
            reads.get(0).columns().stream()
                    .filter(each -> each.id() == column.id())
                    .findFirst()
                    .ifPresent(each -> names.put(column.name(), each.name()));
            String text = column.initialText();
            if (text != null && !names.containsKey(column.name())) {
                initial.put(column.name(), text);
            }
        }
        if (table.def().hasRowId()) {
            names.put(TableDef.ROW_ID, TableDef.ROW_ID);
        }
        names.put(TableDef.UPDATED, TableDef.UPDATED);
        names.put(TableDef.DELETED, TableDef.DELETED);
        List<Path> files = reads.stream().map(read -> pin(read.segment())).toList();
        boolean hasDeleted = reads.stream().anyMatch(read -> read.segment().tombstones() > 0);
        String user = group.packed() ? request.user() : "";
        return new FileScan.Part(files, hiders, group.meetsHot(), hasDeleted, names, initial, user);
    }

    private List<String> keyNames(List<FileColumn> columns) {
        if (table.def().hasRowId()) {
            return List.of(TableDef.ROW_ID);
        }
        return table.def().key().stream()
                .map(id -> columns.stream()
                        .filter(column -> column.id() == id)
                        .findFirst()
                        .orElseThrow()
                        .name())
                .toList();
    }

    private Path pin(Segment segment) {
        Path file = local.pin(segment);
        pinned.add(file);
        return file;
    }

    private void release() {
        pinned.forEach(local::release);
        pinned.clear();
    }
}
