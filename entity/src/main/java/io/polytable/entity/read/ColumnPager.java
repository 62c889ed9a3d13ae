package io.polytable.entity.read;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.session.Futures;
import io.polytable.entity.store.CellPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Iterates over the cells of a column or family in order: by qualifier, newest first. Pages are read on demand. */
public final class ColumnPager {
    private final TableReader reader;
    private final EntityId id;
    private final ReadPlan plan;
    private final ColumnRequest wanted;
    private Optional<CellPlace> after = Optional.empty();
    private boolean done;

    ColumnPager(TableReader reader, EntityId id, ReadPlan plan, ColumnRequest wanted) {
        this.reader = reader;
        this.id = id;
        this.plan = plan;
        this.wanted = wanted;
    }

    ColumnPager restarted() {
        return new ColumnPager(reader, id, plan, wanted);
    }

    /** The next page in the requested size; empty at the end. */
    public List<EntityCell> next() {
        return next(wanted.pageCells());
    }

    public List<EntityCell> next(int cells) {
        if (done || cells < 1) {
            return List.of();
        }
        ColumnQuery page = plan.query(wanted).page(cells, after);
        RowQuery query = new RowQuery(List.of(page), plan.request().consistency());
        StoredRow row = Futures.join(plan.state().stored().get(id.rowKey(), query));
        List<EntityCell> answer = new ArrayList<>();
        for (StoredCell cell : row.cells()) {
            Optional<ColumnName> column = plan.column(wanted.column(), cell.qualifier());
            column.ifPresent(name -> answer.add(plan.cell(name, wanted, cell)));
            after = Optional.of(new CellPlace(cell.qualifier(), cell.timestamp()));
        }
        done = row.cells().size() < cells;
        return answer;
    }

    /** The cells of all remaining pages. */
    public Iterator<EntityCell> cells() {
        return new Iterator<>() {
            private List<EntityCell> page = List.of();
            private int at;

            @Override
            public boolean hasNext() {
                while (at >= page.size() && !done) {
                    page = ColumnPager.this.next();
                    at = 0;
                }
                return at < page.size();
            }

            @Override
            public EntityCell next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return page.get(at++);
            }
        };
    }
}
