package io.polytable.entity.embedded;

import io.polytable.cells.Cell;
import io.polytable.cells.CellPosition;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.FilterDecision;
import io.polytable.entity.store.CellPlace;
import io.polytable.entity.store.ColumnCut;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cell filter that reduces each family to its queries inside the store: a page of a wide family reads only its own
 * cells.
 */
final class QueryFilter implements CellFilter {
    private static final Bytes ZERO = Bytes.of(new byte[] {0});

    /** A query, its progress in the current row, and whether it has seeked to its page's start. */
    private static final class Part {
        private final ColumnQuery query;
        private ColumnCut cut;
        private boolean sought;

        Part(ColumnQuery query) {
            this.query = query;
            cut = new ColumnCut(query);
        }
    }

    private final Map<Bytes, List<Part>> byFamily = new HashMap<>();
    private @Nullable Part current;
    private Optional<CellPosition> hint = Optional.empty();

    QueryFilter(Map<String, List<ColumnQuery>> queries) {
        queries.forEach((family, columns) -> {
            List<Part> parts = new ArrayList<>();
            columns.forEach(column -> parts.add(new Part(column)));
            byFamily.put(Bytes.utf8(family), parts);
        });
    }

    @Override
    public void reset() {
        for (List<Part> parts : byFamily.values()) {
            for (Part part : parts) {
                part.cut = new ColumnCut(part.query);
                part.sought = false;
            }
        }
    }

    @Override
    public FilterDecision filter(Cell cell) {
        List<Part> parts = byFamily.getOrDefault(cell.family(), List.of());
        String qualifier = cell.qualifier().utf8();
        for (Part part : parts) {
            boolean covers = part.query
                    .qualifiers()
                    .map(names -> names.contains(qualifier))
                    .orElse(true);
            if (covers) {
                return answer(part, parts, cell, qualifier);
            }
        }
        return FilterDecision.NEXT_COLUMN;
    }

    private FilterDecision answer(Part part, List<Part> parts, Cell cell, String qualifier) {
        if (!part.sought) {
            part.sought = true;
            Optional<CellPosition> start = pageStart(part.query, cell);
            if (parts.size() == 1 && start.isPresent() && start.get().compareTo(cell.position()) > 0) {
                hint = start;
                return FilterDecision.SEEK;
            }
        }
        return switch (part.cut.next(qualifier, cell.timestamp())) {
            case TAKE -> {
                current = part;
                yield FilterDecision.INCLUDE;
            }
            case SKIP -> FilterDecision.SKIP;
            case NEXT_COLUMN -> FilterDecision.NEXT_COLUMN;
            case DONE -> leave(parts, cell);
        };
    }

    /** The seek position after the last page, or the column in which it ended if versions must be counted. */
    private static Optional<CellPosition> pageStart(ColumnQuery query, Cell cell) {
        return query.after().map(place -> {
            Bytes qualifier = Bytes.utf8(place.qualifier());
            return query.maxVersions() == Integer.MAX_VALUE ? at(cell, qualifier, place) : start(cell, qualifier);
        });
    }

    private static CellPosition at(Cell cell, Bytes qualifier, CellPlace place) {
        return new CellPosition(cell.row(), cell.family(), qualifier, place.timestamp(), CellPosition.BEFORE_ALL_KINDS);
    }

    private static CellPosition start(Cell cell, Bytes qualifier) {
        return CellPosition.startOf(cell.row(), cell.family(), qualifier);
    }

    private FilterDecision leave(List<Part> parts, Cell cell) {
        if (!parts.stream().allMatch(part -> part.cut.isDone())) {
            return FilterDecision.NEXT_COLUMN;
        }
        hint = Optional.of(CellPosition.startOf(cell.row(), cell.family().concat(ZERO), Bytes.EMPTY));
        return FilterDecision.SEEK;
    }

    @Override
    public Cell transform(Cell cell) {
        Part part = current;
        return part == null ? cell : cell.withValue(part.cut.shown(cell.value()));
    }

    @Override
    public Optional<CellPosition> hint(Cell cell) {
        return hint;
    }
}
