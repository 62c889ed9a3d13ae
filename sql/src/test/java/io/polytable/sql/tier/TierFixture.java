package io.polytable.sql.tier;

import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.Texts;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An SQL frontend on a store, with a session of root and shorthands for tests. */
final class TierFixture implements AutoCloseable {
    final SqlFace face;
    final Session session;

    TierFixture(TableStore store, Path directory) {
        this(store, SqlOptions.in(directory), InstantSource.system());
    }

    TierFixture(TableStore store, SqlOptions options, InstantSource clock) {
        face = SqlFace.open(store, options, List::of, clock);
        session = face.session("root");
        run("SET statement_timeout = '30s'");
    }

    long run(String sql) {
        return run(session, sql);
    }

    static long run(Session session, String sql) {
        Outcome outcome = session.execute(sql);
        if (outcome instanceof Outcome.Rows rows) {
            rows.rows().close();
            return 0;
        }
        return ((Outcome.Done) outcome).rows();
    }

    List<String> ask(String sql) {
        return ask(session, sql);
    }

    static List<String> ask(Session session, String sql) {
        List<String> lines = new ArrayList<>();
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            while (rows.next()) {
                lines.add(line(rows.row()));
            }
        }
        return lines;
    }

    private static String line(@Nullable Object[] row) {
        List<String> values = new ArrayList<>();
        for (Object value : row) {
            values.add(value == null ? "null" : Texts.of(value));
        }
        return String.join(" | ", values);
    }

    @Override
    public void close() {
        session.close();
        face.close();
    }
}
