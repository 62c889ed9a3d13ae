package io.polytable.benchmarks.sql;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;

/** Our session, with the statements that the others prepare. */
final class OurSide implements PointSide {
    private final Session session;

    OurSide(Session session) {
        this.session = session;
        session.execute(CREATE);
    }

    @Override
    public void insert(long id) {
        session.execute(INSERT, id, "name of " + id, id);
    }

    @Override
    public void update(long id) {
        session.execute(UPDATE, id);
    }

    @Override
    public void select(long id) {
        try (QueryRows rows = ((Outcome.Rows) session.execute(SELECT, id)).rows()) {
            if (!rows.next() || String.valueOf(rows.row()[0]).isEmpty()) {
                throw new IllegalStateException("No row " + id);
            }
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
