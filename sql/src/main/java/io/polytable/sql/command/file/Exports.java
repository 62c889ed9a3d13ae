package io.polytable.sql.command.file;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tier.ExportPath;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.tier.file.FileTypes;
import io.polytable.sql.tier.file.RelationWriter;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** EXPORT TABLE: writes a snapshot of a table of any frontend as one Parquet file. */
public final class Exports {
    private static final int CHECK_ROWS = 1000;

    private final SqlEngine engine;

    public Exports(SqlEngine engine) {
        this.engine = engine;
    }

    Outcome export(Statement.Export export, Session session) {
        TableName name = session.resolve(export.table());
        if (find(name).isEmpty()) {
            throw new SqlError(
                    SqlCode.UNDEFINED_TABLE,
                    "relation \"" + export.table() + "\" does not exist",
                    export.table().position());
        }
        Tiering tiering = engine.tiering();
        tiering.storages().require(ExportPath.of(export.path()).storage());
        Job job = tiering.jobs()
                .submit(
                        Job.Type.EXPORT,
                        Map.of("namespace", name.namespace(), "table", name.name(), "path", export.path()));
        return FileStatements.awaited(tiering, job, session.cancellation().left(), "EXPORT");
    }

    private Optional<Relation> find(TableName name) {
        Optional<SqlTable> table = engine.catalog().state().table(name);
        return table.isPresent() ? table.map(Relation.class::cast) : engine.virtualRelation(name);
    }

    /** Runs the job. After a crash it starts over. */
    public String run(Job job, boolean again, JobProgress progress) {
        TableName name = new TableName(job.parameter("namespace"), job.parameter("table"));
        Relation relation = find(name)
                .orElseThrow(
                        () -> new SqlError(SqlCode.UNDEFINED_TABLE, "relation \"" + name + "\" is not there any more"));
        ExportPath path = ExportPath.of(job.parameter("path"));
        Storage storage = engine.tiering().storages().open(path.storage());
        if (again) {
            clear(storage, path.path());
        }
        Path temporary = storage.temporary(path.path());
        try {
            long rows;
            try (Snapshot snapshot = engine.store().snapshot()) {
                rows = relation instanceof SqlTable table
                        ? ofTable(table, snapshot, temporary, progress)
                        : ofFace(relation, snapshot, temporary, progress);
            }
            // A file is an answer too: it must not have rows that a crash or another owner of the log takes back.
            engine.answers().await(engine.answers().seen());
            storage.publish(temporary, path.path());
            storage.sync();
            progress.end(rows);
            return rows + " rows exported";
        } finally {
            delete(temporary);
        }
    }

    /** Deletes the temporary file, which still exists only if publishing failed. */
    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException left) {
            throw new StorageFailure("A temporary file cannot be deleted", left);
        }
    }

    /** Removes the temporary files of an interrupted run. */
    private static void clear(Storage storage, String path) {
        List<String> left = new ArrayList<>();
        storage.list(path.substring(0, path.lastIndexOf('/')), file -> {
            if (file.startsWith(path + ".") && file.endsWith(".tmp")) {
                left.add(file);
            }
        });
        left.forEach(storage::delete);
    }

    private static long ofFace(Relation relation, Snapshot snapshot, Path file, JobProgress progress) {
        List<RelationColumn> columns = relation.columns();
        List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
        long count = 0;
        try (RelationWriter writer = new RelationWriter(file, columns);
                Relation.Rows rows = relation.open(
                        snapshot, new Relation.Request(SqlEngine.ROOT, all, AccessPath.All.ROWS, false))) {
            while (rows.next()) {
                writer.write(rows.row());
                count++;
                if (count % CHECK_ROWS == 0) {
                    progress.add(CHECK_ROWS);
                }
            }
        }
        return count;
    }

    /** Exports the rows of all users, with the owner in the column {@code _user_id} for a user table. */
    private static long ofTable(SqlTable table, Snapshot snapshot, Path file, JobProgress progress) {
        boolean ofUsers = table.def().kind() == TableKind.USER;
        List<RelationColumn> columns = new ArrayList<>(Reads.shown(table));
        if (ofUsers) {
            columns.add(0, RelationColumn.shown(FileTypes.USER_ID, SqlType.TEXT));
        }
        int before = ofUsers ? 1 : 0;
        long count = 0;
        try (RelationWriter writer = new RelationWriter(file, columns);
                StoredRows rows = table.everyRow(snapshot)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                if (row.isDeleted()) {
                    continue;
                }
                @Nullable Object[] values = new Object[columns.size()];
                System.arraycopy(row.values(), 0, values, before, row.values().length);
                if (ofUsers) {
                    values[0] = table.userOf(row.key().bytes());
                }
                writer.write(values);
                count++;
                if (count % CHECK_ROWS == 0) {
                    progress.add(CHECK_ROWS);
                }
            }
        }
        return count;
    }
}
