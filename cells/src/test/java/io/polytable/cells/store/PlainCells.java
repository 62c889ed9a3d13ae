package io.polytable.cells.store;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The oracle: the simplest implementation of HBase's semantics. It keeps all cells in one sorted map and examines all
 * cells of a row for every read. Edits carry their timestamps.
 */
final class PlainCells {
    private CellTableSpec spec;
    private final NavigableMap<CellPosition, Cell> cells = new TreeMap<>();

    PlainCells(CellTableSpec spec) {
        this.spec = spec;
    }

    void alter(CellTableSpec next) {
        spec = next;
        cells.values().removeIf(cell -> spec.family(cell.family()).isEmpty());
    }

    void put(Cell cell) {
        cells.put(cell.position(), cell);
    }

    void remove(Cell cell) {
        cells.remove(cell.position());
    }

    void clear() {
        cells.clear();
    }

    NavigableSet<Bytes> rows() {
        NavigableSet<Bytes> rows = new TreeSet<>();
        cells.keySet().forEach(position -> rows.add(position.row()));
        return rows;
    }

    private List<Cell> stored(Bytes row, Bytes family) {
        return cells.values().stream()
                .filter(cell -> cell.row().equals(row) && cell.family().equals(family))
                .toList();
    }

    /** The puts of the cell's column that are older, newest first. */
    List<Cell> older(Cell cell) {
        return puts(stored(cell.row(), cell.family()), cell.qualifier()).stream()
                .filter(put -> put.timestamp() < cell.timestamp())
                .toList();
    }

    List<Cell> read(Bytes row, Selection selection, long now) {
        List<Cell> shown = new ArrayList<>();
        for (FamilySpec family : spec.families()) {
            if (selection.wants(family.name())) {
                List<Cell> all = selection.raw() ? raw(row, family, selection, now) : live(row, family, selection, now);
                int from = Math.min(selection.familyOffset(), all.size());
                int to = selection.familyLimit() < 0
                        ? all.size()
                        : (int) Math.min(all.size(), (long) from + selection.familyLimit());
                shown.addAll(all.subList(from, to));
            }
        }
        return shown;
    }

    private List<Cell> live(Bytes row, FamilySpec family, Selection selection, long now) {
        FamilySelection wanted = selection.of(family.name());
        TimeRange times = wanted.times().orElse(selection.times());
        int versions = Math.min(wanted.maxVersions().orElse(selection.maxVersions()), family.maxVersions());
        List<Cell> stored = stored(row, family.name());
        List<Cell> markers = stored.stream()
                .filter(cell -> cell.kind().isDelete() && (family.minVersions() > 0 || !isExpired(cell, family, now)))
                .filter(cell -> cell.timestamp() >= times.min()
                        && (family.keepDeleted() == KeepDeleted.NEVER || times.isBeforeEnd(cell.timestamp())))
                .toList();
        List<Cell> shown = new ArrayList<>();
        for (Bytes qualifier : qualifiers(stored)) {
            if (wanted.qualifiers().isEmpty() || wanted.qualifiers().contains(qualifier)) {
                List<Cell> candidates = puts(stored, qualifier).stream()
                        .filter(cell -> times.contains(cell.timestamp()))
                        .filter(cell -> !isMasked(cell, markers) && !hasOutlived(cell, now))
                        .filter(cell -> family.minVersions() > 0 || !isExpired(cell, family, now))
                        .toList();
                boolean named = !wanted.qualifiers().isEmpty();
                shown.addAll(newest(candidates, family, versions, selection, named, now));
            }
        }
        return shown;
    }

    private static List<Cell> newest(
            List<Cell> candidates, FamilySpec family, int versions, Selection selection, boolean named, long now) {
        Optional<CellFilter> filter = selection.filter();
        List<Cell> shown = new ArrayList<>();
        int stored = 0;
        for (Cell cell : candidates) {
            stored++;
            boolean expired = isExpired(cell, family, now);
            boolean beyond = stored > (filter.isPresent() ? family.maxVersions() : versions);
            if (beyond || (expired && !named && stored > family.minVersions())) {
                break;
            }
            boolean passes = filter.isEmpty() || filter.get().filter(cell) == FilterDecision.INCLUDE;
            if (passes && shown.size() < versions) {
                shown.add(cell);
            }
            if (expired && named && stored >= family.minVersions()) {
                break;
            }
        }
        return shown;
    }

    private List<Cell> raw(Bytes row, FamilySpec family, Selection selection, long now) {
        List<Cell> stored = stored(row, family.name());
        List<Cell> shown = new ArrayList<>();
        for (Bytes qualifier : qualifiers(stored)) {
            int puts = 0;
            for (Cell cell : stored) {
                if (!cell.qualifier().equals(qualifier)
                        || !selection.times().contains(cell.timestamp())
                        || hasOutlived(cell, now)) {
                    continue;
                }
                puts += cell.kind().isDelete() ? 0 : 1;
                if (puts > selection.maxVersions()) {
                    break;
                }
                shown.add(cell);
            }
        }
        return shown;
    }

    private static NavigableSet<Bytes> qualifiers(List<Cell> stored) {
        NavigableSet<Bytes> qualifiers = new TreeSet<>();
        stored.forEach(cell -> qualifiers.add(cell.qualifier()));
        return qualifiers;
    }

    private static List<Cell> puts(List<Cell> stored, Bytes qualifier) {
        return stored.stream()
                .filter(cell -> cell.kind() == CellKind.PUT && cell.qualifier().equals(qualifier))
                .toList();
    }

    private static boolean isMasked(Cell put, List<Cell> markers) {
        return markers.stream().anyMatch(marker -> masks(marker, put));
    }

    private static boolean masks(Cell marker, Cell put) {
        boolean sameColumn = marker.qualifier().equals(put.qualifier());
        return switch (marker.kind()) {
            case DELETE_FAMILY -> put.timestamp() <= marker.timestamp();
            case DELETE_FAMILY_VERSION -> put.timestamp() == marker.timestamp();
            case DELETE_COLUMN -> sameColumn && put.timestamp() <= marker.timestamp();
            case DELETE_VERSION -> sameColumn && put.timestamp() == marker.timestamp();
            case PUT -> false;
        };
    }

    private static boolean isExpired(Cell cell, FamilySpec family, long now) {
        return family.ttlMillis() != FamilySpec.FOREVER && cell.timestamp() < now - family.ttlMillis();
    }

    private static boolean hasOutlived(Cell cell, long now) {
        return cell.ttlMillis() != Cell.NO_TTL && cell.timestamp() + cell.ttlMillis() < now;
    }

    void compact(boolean markers, long now) {
        for (Bytes row : rows()) {
            for (FamilySpec family : spec.families()) {
                compact(row, family, markers, now);
            }
        }
    }

    private void compact(Bytes row, FamilySpec family, boolean dropsMarkers, long now) {
        List<Cell> stored = stored(row, family.name());
        if (family.minVersions() == 0) {
            stored.stream().filter(cell -> isExpired(cell, family, now)).forEach(this::remove);
            stored = stored(row, family.name());
        }
        List<Cell> markers =
                stored.stream().filter(cell -> cell.kind().isDelete()).toList();
        List<Cell> removing = markers.stream()
                .filter(marker -> family.keepDeleted() == KeepDeleted.NEVER
                        || (family.keepDeleted() == KeepDeleted.UNTIL_TTL && isExpired(marker, family, now)))
                .toList();
        for (Bytes qualifier : qualifiers(stored)) {
            int versions = 0;
            for (Cell cell : stored) {
                boolean marker = cell.kind().isDelete();
                if (!cell.qualifier().equals(qualifier) || (marker && !dropsMarkers)) {
                    continue;
                }
                boolean gone = marker ? removing.contains(cell) : isMasked(cell, removing) || hasOutlived(cell, now);
                versions += gone || marker ? 0 : 1;
                boolean excess = versions > family.maxVersions()
                        || (isExpired(cell, family, now) && versions > family.minVersions());
                if (gone || excess) {
                    remove(cell);
                }
            }
        }
    }
}
