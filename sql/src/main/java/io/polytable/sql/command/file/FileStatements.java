package io.polytable.sql.command.file;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.table.ColdRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Runs statements about storages and files: CREATE STORAGE, FLUSH, COMPACT, EXPORT, IMPORT, KILL JOB. */
public final class FileStatements {
    private final SqlEngine engine;
    private final Session session;
    private final Tiering tiering;

    public FileStatements(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
        tiering = engine.tiering();
    }

    public Outcome run(Statement.OfFiles statement) {
        session.transaction().refuseInside("work on files");
        session.transaction().requireWritable();
        session.require(Role.DBA, "permission denied: only users with role dba or system work on files and storages");
        if (statement instanceof Statement.FileWork work) {
            return work(work);
        }
        if (statement instanceof Statement.KillJob kill) {
            tiering.jobs().kill(kill.id());
            return Outcome.done("KILL JOB");
        }
        if (statement instanceof Statement.Export export) {
            return new Exports(engine).export(export, session);
        }
        if (statement instanceof Statement.Import imported) {
            return new Imports(engine).imported(imported, session);
        }
        return storage(statement);
    }

    private Outcome storage(Statement.OfFiles statement) {
        if (statement instanceof Statement.CreateStorage create) {
            boolean there = tiering.storages().find(create.id()).isPresent();
            if (!there || !create.ifNotExists()) {
                tiering.storages().create(create.id(), create.type(), create.options());
            }
            return Outcome.done("CREATE STORAGE");
        }
        if (statement instanceof Statement.AlterStorage alter) {
            tiering.alterStorage(alter.id(), alter.options());
            return Outcome.done("ALTER STORAGE");
        }
        if (statement instanceof Statement.DropStorage drop) {
            boolean there = tiering.storages().find(drop.id()).isPresent();
            if (there || !drop.ifExists()) {
                tiering.dropStorage(drop.id());
            }
            return Outcome.done("DROP STORAGE");
        }
        return check((Statement.CheckStorage) statement);
    }

    private Outcome check(Statement.CheckStorage check) {
        String path = "check-" + UUID.randomUUID();
        byte[] content = path.getBytes(StandardCharsets.UTF_8);
        tiering.storages().require(check.id());
        try {
            Storage storage = tiering.storages().open(check.id());
            storage.write(path, content);
            boolean same =
                    storage.read(path).map(read -> Arrays.equals(read, content)).orElse(false);
            storage.delete(path);
            if (!same) {
                throw new SqlError(SqlCode.UNAVAILABLE, "storage \"" + check.id() + "\" gave back something else");
            }
        } catch (StorageFailure failure) {
            throw new SqlError(
                    SqlCode.UNAVAILABLE, "storage \"" + check.id() + "\" does not work: " + failure.getMessage());
        }
        return Outcome.done("STORAGE CHECK");
    }

    /** Submits the jobs and waits for them up to the statement's time limit. They continue if the client gives up. */
    private Outcome work(Statement.FileWork work) {
        List<SqlTable> tables = work.table().isPresent()
                ? List.of(session.table(work.table().get()))
                : engine.catalog().state().tables().stream()
                        .filter(table -> table.cold() != ColdRows.NONE)
                        .filter(table -> work.namespace()
                                .map(table.name().namespace()::equals)
                                .orElse(true))
                        .toList();
        String name = work.work().name().toLowerCase(Locale.ROOT);
        List<Job> jobs =
                tables.stream().map(table -> submit(work.work(), table)).toList();
        long rows = 0;
        for (Job job : jobs) {
            rows += awaited(tiering, job, session.cancellation().left(), "").rows();
        }
        return new Outcome.Done(name.toUpperCase(Locale.ROOT), rows);
    }

    /** Waits for a job and returns its row count, which is the first word of its message. */
    static Outcome.Done awaited(Tiering tiering, Job job, Duration most, String message) {
        Job ended = tiering.jobs().await(job, most);
        if (ended.status() != Job.Status.COMPLETED) {
            throw unfinished(ended);
        }
        String count = ended.message().replaceFirst(" .*", "");
        return new Outcome.Done(message, count.matches("\\d+") ? Long.parseLong(count) : 0);
    }

    private Job submit(Statement.FileWork.Work work, SqlTable table) {
        return switch (work) {
            case FLUSH -> tiering.submit(Job.Type.FLUSH, table, Map.of());
            case COMPACT -> tiering.submit(Job.Type.COMPACT, table, Map.of("files", "2"));
            case EXPIRE -> tiering.submit(Job.Type.RETENTION, table, Map.of());
        };
    }

    private static SqlError unfinished(Job job) {
        String status = job.status().name().toLowerCase(Locale.ROOT);
        return switch (job.status()) {
            case CANCELLED -> new SqlError(SqlCode.CANCELLED, "job \"" + job.id() + "\" was killed");
            case FAILED -> new SqlError(SqlCode.UNAVAILABLE, "job \"" + job.id() + "\" failed: " + job.message());
            default ->
                new SqlError(
                        SqlCode.TIMEOUT,
                        "job \"" + job.id() + "\" is " + status + " and continues"
                                + (job.message().isEmpty() ? "" : ": " + job.message()));
        };
    }
}
