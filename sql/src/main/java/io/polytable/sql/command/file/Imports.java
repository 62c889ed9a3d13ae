package io.polytable.sql.command.file;

import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.ViewRelation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.TableWriter;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tier.ExportPath;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.tier.file.FileTypes;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** IMPORT: writes the rows of a Parquet file into a table, matching columns by name, one transaction per chunk. */
public final class Imports {
    private static final int ROWS_AT_ONCE = 500;
    private static final long BYTES_AT_ONCE = 4L << 20;

    private final SqlEngine engine;

    public Imports(SqlEngine engine) {
        this.engine = engine;
    }

    Outcome imported(Statement.Import imported, Session session) {
        TableName table = target(imported.table(), session);
        Tiering tiering = engine.tiering();
        tiering.storages().require(ExportPath.of(imported.path()).storage());
        Job job = tiering.jobs()
                .submit(
                        Job.Type.IMPORT,
                        Map.of(
                                "namespace", table.namespace(),
                                "table", table.name(),
                                "path", imported.path()));
        return FileStatements.awaited(tiering, job, session.cancellation().left(), "IMPORT");
    }

    private TableName target(Name given, Session session) {
        TableName name = session.resolve(given);
        Optional<ViewRelation> shown = shown(name);
        shown.ifPresent(ViewImports::require);
        return shown.isPresent() ? name : session.table(given).name();
    }

    private Optional<ViewRelation> shown(TableName name) {
        return engine.catalog().state().table(name).isPresent()
                ? Optional.empty()
                : engine.virtualRelation(name)
                        .filter(ViewRelation.class::isInstance)
                        .map(ViewRelation.class::cast);
    }

    /** Runs the job. When it resumes after a crash, it skips the rows that are already in the table. */
    public String run(Job job, boolean again, JobProgress progress) {
        TableName name = new TableName(job.parameter("namespace"), job.parameter("table"));
        Optional<ViewRelation> shown = shown(name);
        if (shown.isPresent()) {
            return intoView(shown.get(), job, progress);
        }
        SqlTable table = engine.catalog()
                .state()
                .table(name)
                .orElseThrow(
                        () -> new SqlError(SqlCode.UNDEFINED_TABLE, "table \"" + name + "\" is not there any more"));
        if (again && (table.def().hasRowId() || table.def().kind() == TableKind.STREAM)) {
            throw new SqlError(
                    SqlCode.UNAVAILABLE,
                    "the import was interrupted, and without a primary key its rows cannot be distinguished from others");
        }
        Path file = engine.tiering().fetched(ExportPath.of(job.parameter("path")));
        try (Session session = engine.session(SqlEngine.ROOT);
                QueryRows rows = engine.duck().file(file)) {
            session.useJobTimeLimit();
            return new Run(session, table, again, progress).all(rows) + " rows imported";
        } finally {
            engine.tiering().releaseFetched(file);
        }
    }

    /** Imports into a table of another frontend. The frontend accepts rows that it already has, so a retry starts over. */
    private String intoView(ViewRelation shown, Job job, JobProgress progress) {
        Path file = engine.tiering().fetched(ExportPath.of(job.parameter("path")));
        try (QueryRows rows = engine.duck().file(file)) {
            return new ViewImports(shown, progress).all(rows) + " rows imported";
        } finally {
            engine.tiering().releaseFetched(file);
        }
    }

    private final class Run {
        private final Session session;
        private final SqlTable table;
        private final TableDef def;
        private final boolean again;
        private final JobProgress progress;
        private final TableRules rules;
        private long count;

        Run(Session session, SqlTable table, boolean again, JobProgress progress) {
            this.session = session;
            this.table = table;
            this.again = again;
            this.progress = progress;
            def = table.def();
            rules = new TableRules(table);
        }

        long all(QueryRows rows) {
            int[] targets = targets(rows.columns());
            int user = userColumn(rows.columns());
            List<@Nullable Object[]> chunk = new ArrayList<>();
            long bytes = 0;
            while (rows.next()) {
                chunk.add(rows.row().clone());
                bytes += StatementMemory.sizeOf(rows.row());
                if (chunk.size() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
                    write(chunk, targets, user);
                    chunk.clear();
                    bytes = 0;
                }
            }
            write(chunk, targets, user);
            return count;
        }

        /** Rejects columns of the file that the table lacks: their values would be lost silently. */
        private int[] targets(List<QueryRows.Output> columns) {
            int[] targets = new int[columns.size()];
            for (int i = 0; i < targets.length; i++) {
                String name = columns.get(i).name();
                targets[i] = def.indexOf(name);
                if (targets[i] < 0 && !name.equals(FileTypes.USER_ID)) {
                    throw new SqlError(
                            SqlCode.UNDEFINED_COLUMN, "the file's column \"" + name + "\" is not in " + def.name());
                }
            }
            return targets;
        }

        private int userColumn(List<QueryRows.Output> columns) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equals(FileTypes.USER_ID) && def.kind() == TableKind.USER) {
                    return i;
                }
            }
            return -1;
        }

        private void write(List<@Nullable Object[]> chunk, int[] targets, int user) {
            long written = session.transaction()
                    .<Long>write(table, true, transaction -> chunk(transaction, chunk, targets, user));
            count += written;
            progress.add(chunk.size());
        }

        private long chunk(Transaction transaction, List<@Nullable Object[]> chunk, int[] targets, int user) {
            Environment environment = session.portal().given();
            long written = 0;
            for (@Nullable Object[] given : chunk) {
                @Nullable Object[] row = new Object[def.columns().size()];
                boolean[] set = new boolean[row.length];
                for (int i = 0; i < targets.length; i++) {
                    if (targets[i] >= 0) {
                        row[targets[i]] = Casts.to(def.columns().get(targets[i]).type(), given[i]);
                        set[targets[i]] = true;
                    }
                }
                for (int i = 0; i < row.length; i++) {
                    row[i] = set[i] ? row[i] : rules.defaultOf(i, environment);
                }
                rules.pass(row, environment);
                Object owner = user < 0 ? null : given[user];
                TableWriter writer = new TableWriter(
                        table,
                        transaction,
                        owner == null ? SqlEngine.ROOT : owner.toString(),
                        environment.current(),
                        engine.ids());
                Optional<TableWriter.Conflict> conflict = writer.insert(row, Set.of());
                if (conflict.isPresent() && !again) {
                    throw conflict.get().error();
                }
                written += conflict.isPresent() ? 0 : 1;
            }
            return written;
        }
    }
}
