package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellLimits;
import io.polytable.cells.CellPosition;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.TimeRange;
import io.polytable.cells.layout.RowEditor;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.store.definition.LiveTable;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the cells that a write's edits produce, from the row as it was before the write. */
final class RowChanges {
    private final LiveTable table;
    private final Bytes row;
    private final long cellBytesMax;
    private final ColumnReads reads;
    private final CounterCache counters;
    private final long now;

    private final List<Cell> cells = new ArrayList<>();
    private final List<CellPosition> replaced = new ArrayList<>(0);
    private final List<Cell> answered = new ArrayList<>(0);

    /** New cells of counters that then have exactly one older version. */
    private final List<Cell> clean = new ArrayList<>(0);

    /** The last increment or append; used only if it is the write's only edit. */
    private Optional<CounterCache.Step> step = Optional.empty();

    private int edits;
    private boolean puts;
    private long computedBytes;

    /** How many deletes of a column's newest version there were: each deletes the next older one. */
    private final Map<Edit.Delete, Integer> ofNewest = new HashMap<>(0);

    /** Edits without a timestamp use {@code now}. */
    RowChanges(LiveTable table, RowWrite write, ColumnReads reads, CounterCache counters, long now) {
        this.table = table;
        this.row = write.row();
        this.cellBytesMax = write.computedCellBytesMax();
        this.reads = reads;
        this.counters = counters;
        this.now = now;
    }

    void add(Edit edit) {
        edits++;
        if (edit instanceof Edit.Put put) {
            puts = true;
            counters.evict(table.physical(), row, put.family(), put.qualifier());
            cells.add(put.at(row, now));
        } else if (edit instanceof Edit.Delete delete) {
            boolean newest = delete.kind() == CellKind.DELETE_VERSION && delete.timestamp() == Cell.LATEST;
            long timestamp = newest ? newestVersion(delete) : timed(delete.timestamp());
            mark(delete.kind(), delete.family(), delete.qualifier(), timestamp);
        } else if (edit instanceof Edit.DeleteRow delete) {
            for (FamilySpec family : table.spec().families()) {
                mark(CellKind.DELETE_FAMILY, family.name(), Bytes.EMPTY, timed(delete.timestamp()));
            }
        } else if (edit instanceof Edit.Increment increment) {
            increment(increment);
        } else if (edit instanceof Edit.Append append) {
            append(append);
        }
    }

    private long timed(long timestamp) {
        return timestamp == Cell.LATEST ? now : timestamp;
    }

    private Cell cell(Bytes family, Bytes qualifier, long timestamp, CellKind kind, Bytes value, long ttl) {
        return new Cell(row, family, qualifier, timestamp, kind, value, ttl);
    }

    private void mark(CellKind kind, Bytes family, Bytes qualifier, long timestamp) {
        cells.add(cell(family, qualifier, timestamp, kind, Bytes.EMPTY, Cell.NO_TTL));
    }

    /**
     * The timestamp of the newest version that no identical delete of this write has taken already; now if there is
     * none.
     */
    private long newestVersion(Edit.Delete delete) {
        int nth = ofNewest.merge(delete, 1, Integer::sum);
        List<Cell> versions = reads.versions(delete.family(), delete.qualifier(), TimeRange.ALL, nth);
        return versions.size() < nth ? now : versions.get(nth - 1).timestamp();
    }

    private void increment(Edit.Increment edit) {
        RowReads.Newest before = before(edit.family(), edit.qualifier(), edit.times());
        long value = before.cell().map(Counters::read).orElse(0L) + edit.amount();
        Cell after =
                answer(edit.family(), edit.qualifier(), edit.timestamp(), before, Counters.of(value), edit.ttlMillis());
        step(before, after, edit.times());
    }

    private RowReads.Newest before(Bytes family, Bytes qualifier, TimeRange times) {
        Optional<RowReads.Newest> known =
                times.equals(TimeRange.ALL) ? counters.last(table, row, family, qualifier) : Optional.empty();
        return known.orElseGet(() -> reads.newestAndOlder(family, qualifier, times, counters));
    }

    private void step(RowReads.Newest before, Cell after, TimeRange times) {
        boolean isClean = replaceOlder(after, before, times);
        boolean lasts = isClean && after.ttlMillis() == Cell.NO_TTL && isForEver(after.family());
        step = lasts && !before.marked()
                ? before.cell().flatMap(last -> CounterCache.step(table, last, after))
                : Optional.empty();
    }

    private boolean isForEver(Bytes family) {
        return table.spec()
                .family(family)
                .filter(spec -> spec.ttlMillis() == FamilySpec.FOREVER)
                .isPresent();
    }

    /** The step to cache once it is committed. */
    Optional<CounterCache.Step> step() {
        return edits == 1 ? step : Optional.empty();
    }

    private void append(Edit.Append edit) {
        RowReads.Newest before = before(edit.family(), edit.qualifier(), edit.times());
        Bytes value = before.cell().map(cell -> appended(cell, edit.suffix())).orElse(edit.suffix());
        Cell after = answer(edit.family(), edit.qualifier(), edit.timestamp(), before, value, edit.ttlMillis());
        step(before, after, edit.times());
    }

    /** Checks the size before it allocates: many small suffixes may produce large values. */
    private Bytes appended(Cell before, Bytes suffix) {
        long length = (long) before.value().length() + suffix.length();
        WriteChecks.checkValue(length);
        computedBytes += length;
        if (computedBytes > CellLimits.COMPUTED_BYTES_MAX) {
            throw WriteChecks.tooLarge("What a row write appends to is too large", computedBytes);
        }
        return before.value().concat(suffix);
    }

    private Cell answer(
            Bytes family, Bytes qualifier, long timestamp, RowReads.Newest newest, Bytes value, long ttlMillis) {
        Optional<Cell> before = newest.cell();
        long time = before.map(cell -> Math.max(cell.timestamp() + 1, now)).orElseGet(() -> timed(timestamp));
        long ttl = ttlMillis == Cell.NO_TTL ? before.map(Cell::ttlMillis).orElse(Cell.NO_TTL) : ttlMillis;
        Cell after = cell(family, qualifier, time, CellKind.PUT, value, ttl);
        if (after.sizeBytes() > cellBytesMax) {
            throw new CellException(
                    CellError.COMPUTED_TOO_LARGE,
                    "An increment or append would produce a cell that is too large",
                    Map.of("size", after.sizeBytes(), "limit", cellBytesMax));
        }
        cells.add(after);
        answered.add(after);
        return after;
    }

    /**
     * Removes older versions, of which a counter would otherwise leave one with each step. As in HBase, the last one
     * before the new version stays. Returns whether it is the only one.
     */
    private boolean replaceOlder(Cell after, RowReads.Newest newest, TimeRange times) {
        if (!keepsOneVersion(after.family())) {
            return false;
        }
        replaced.addAll(newest.older());
        boolean isClean = newest.all() && times.equals(TimeRange.ALL);
        if (isClean) {
            clean.add(after);
        }
        return isClean;
    }

    private boolean keepsOneVersion(Bytes family) {
        return table.spec()
                .family(family)
                .filter(spec -> spec.maxVersions() == 1)
                .isPresent();
    }

    /** The new cells of increments and appends, in order. */
    List<Cell> answered() {
        return answered.size() < 2 ? answered : answered.stream().sorted().toList();
    }

    void applyTo(RowEditor editor) {
        replaced.forEach(editor::remove);
        cells.forEach(editor::put);
        if (!puts) {
            clean.forEach(counter -> counters.markClean(table.physical(), counter));
        }
    }
}
