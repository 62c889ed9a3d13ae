package io.polytable.sql.command.read;

import io.polytable.frontend.user.Privilege;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Conditions;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.plan.DuckQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: whether a statement runs on our own path or through DuckDB, and how it reads its tables. */
public final class Explanations {
    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;

    public Explanations(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
    }

    public QueryRows explain(Statement.Explain explain, Supplier<Outcome> run) {
        List<String> lines = new ArrayList<>(lines(explain.statement()));
        if (explain.analyze()) {
            long begun = System.nanoTime();
            long rows = drained(run.get());
            lines.add("rows: " + rows);
            lines.add("time: " + (System.nanoTime() - begun) / 1000 + " us");
        }
        List<@Nullable Object[]> rows = new ArrayList<>();
        lines.forEach(line -> rows.add(new @Nullable Object[] {line}));
        return new ListedRows(List.of(new QueryRows.Output("plan", SqlType.TEXT)), rows);
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

    private List<String> lines(Statement statement) {
        if (statement instanceof Statement.Select select) {
            return select(select);
        }
        if (statement instanceof Statement.Update update) {
            return change("update", update.rows());
        }
        if (statement instanceof Statement.Delete delete) {
            return change("delete", delete.rows());
        }
        if (statement instanceof Statement.Insert insert) {
            List<String> lines = new ArrayList<>(List.of("path: own, insert into "
                    + session.table(insert.table(), Privilege.INSERT).name()));
            if (insert.source() instanceof Statement.Source.Selected selected) {
                lines.addAll(duck(selected.query()));
            }
            return lines;
        }
        return List.of("path: own, " + statement.getClass().getSimpleName());
    }

    private List<String> select(Statement.Select select) {
        Reads reads = new Reads(engine, session, parameters);
        Optional<KeyRead> byKey = PlainSelect.of(select.query()).flatMap(reads::keyRead);
        if (byKey.isPresent()) {
            KeyRead read = byKey.get();
            return List.of(
                    "path: own",
                    read.table().name() + ": " + read.path().text()
                            + (read.direction() == Direction.REVERSE ? ", in reverse" : ""));
        }
        return duck(select.query());
    }

    private List<String> duck(Query query) {
        DuckQuery plan =
                new Reads(engine, session, parameters).plan(query, () -> query).query();
        List<String> lines = new ArrayList<>(List.of("path: DuckDB"));
        try (TransactionState.Reading reading = session.transaction().reading(false)) {
            Reader reader = reading.transaction().forQueries(plan.ownTables());
            lines.addAll(engine.duck().accesses(plan, reader, session.user(), session.cancellation(), parameters));
        }
        return lines;
    }

    private List<String> change(String what, Statement.Rows rows) {
        SqlTable table = session.table(rows.table(), Privilege.SELECT);
        try {
            if (!rows.isPlain()) {
                throw new NotCompilable("other tables");
            }
            ExprCompiler compiler = new Reads(engine, session, parameters).compiler(table, rows.alias());
            rows.where().ifPresent(compiler::condition);
            List<Condition> conditions = rows.where()
                    .map(expr -> Conditions.of(expr, compiler, table.columns(), parameters))
                    .orElse(List.of());
            return List.of(
                    "path: own, " + what,
                    table.name() + ": " + table.plan(session.user(), conditions).text());
        } catch (NotCompilable beyond) {
            return List.of("path: DuckDB finds the rows, own path writes them", table.name() + ": " + what);
        }
    }
}
