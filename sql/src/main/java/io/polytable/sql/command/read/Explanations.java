package io.polytable.sql.command.read;

import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.plan.DuckQuery;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: prints a statement's plan, with the access paths that its parameters select. */
public final class Explanations {
    private final Portal portal;
    private final Environment given;

    /** @param portal the run of the explained statement */
    public Explanations(Portal portal) {
        this.portal = portal;
        given = portal.given();
    }

    public Outcome explain(Plan plan) {
        return shown(lines(plan));
    }

    /** Runs the statement, too. */
    public Outcome analyze(Plan plan, Supplier<Outcome> run) {
        List<String> lines = new ArrayList<>(lines(plan));
        long begun = System.nanoTime();
        long rows = drained(run.get());
        lines.add("rows: " + rows);
        lines.add("time: " + (System.nanoTime() - begun) / 1000 + " us");
        return shown(lines);
    }

    private static Outcome shown(List<String> lines) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        lines.forEach(line -> rows.add(new @Nullable Object[] {line}));
        return new Outcome.Rows(new ListedRows(List.of(new QueryRows.Output("plan", SqlType.TEXT)), rows));
    }

    private static long drained(Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            return done.rows();
        }
        long count = 0;
        try (QueryRows rows = ((Outcome.Rows) outcome).rows()) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    private List<String> lines(Plan plan) {
        if (plan instanceof Plan.PointRead one) {
            return keyRead(one.otherwise());
        }
        if (plan instanceof Plan.KeyRead read) {
            return keyRead(read);
        }
        if (plan instanceof Plan.DuckRead read) {
            return duck(read.query());
        }
        if (plan instanceof Plan.Insert insert) {
            return insert(insert);
        }
        if (plan instanceof Plan.Change change) {
            return change(change);
        }
        return List.of(
                "path: own, " + ((Plan.Command) plan).statement().getClass().getSimpleName());
    }

    private List<String> keyRead(Plan.KeyRead read) {
        Optional<KeyRows> byKey = KeyRows.of(read, given);
        return byKey.isPresent()
                ? List.of("path: own", byKey.get().text())
                : duck(new Reads(portal)
                        .prepared(((Statement.Select) portal.prepared().statement()).query()));
    }

    private List<String> duck(PreparedQuery prepared) {
        DuckQuery query = prepared.query();
        List<String> lines = new ArrayList<>(List.of("path: DuckDB"));
        try (TransactionState.Reading reading = portal.session().transaction().reading(false)) {
            Reader reader = reading.transaction().forQueries(query.ownTables());
            lines.addAll(portal.engine()
                    .duck()
                    .accesses(query, reader, given.user(), portal.cancellation(), given.parameters()));
        }
        return lines;
    }

    private List<String> insert(Plan.Insert plan) {
        List<String> lines =
                new ArrayList<>(List.of("path: own, insert into " + plan.table().name()));
        if (plan.insert().source() instanceof Statement.Source.Selected selected) {
            lines.addAll(duck(new Reads(portal).prepared(selected.query())));
        }
        return lines;
    }

    private List<String> change(Plan.Change plan) {
        String what = portal.prepared().statement() instanceof Statement.Update ? "update" : "delete";
        return plan.rows()
                .map(rows -> List.of(
                        "path: own, " + what,
                        plan.table().name() + ": "
                                + rows.path(plan.table(), given).text()))
                .orElse(List.of(
                        "path: DuckDB finds the rows, own path writes them",
                        plan.table().name() + ": " + what));
    }
}
