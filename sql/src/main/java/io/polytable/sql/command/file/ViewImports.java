package io.polytable.sql.command.file;

import io.polytable.frontend.view.ViewImport;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.relation.ViewRelation;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** IMPORT into a table of another frontend, through the importer that the frontend provides. */
final class ViewImports {
    private static final int ROWS_AT_ONCE = 500;
    private static final long BYTES_AT_ONCE = 4L << 20;

    private final ViewRelation relation;
    private final ViewImport target;
    private final JobProgress progress;

    ViewImports(ViewRelation relation, JobProgress progress) {
        this.relation = relation;
        this.progress = progress;
        target = require(relation);
    }

    /** The view's importer. A view that shows a part of another one names that one in the error. */
    static ViewImport require(ViewRelation relation) {
        return relation.view().importer().orElseThrow(() -> {
            String instead = relation.view()
                    .importedInto()
                    .map(other -> "; import into \"" + other + "\" instead")
                    .orElse("");
            return new SqlError(
                    SqlCode.READ_ONLY, "rows cannot be imported into \"" + relation.name() + "\"" + instead);
        });
    }

    long all(QueryRows rows) {
        int[] targets = targets(rows.columns());
        List<List<Value>> chunk = new ArrayList<>();
        long bytes = 0;
        long count = 0;
        while (rows.next()) {
            chunk.add(values(rows.row(), targets));
            bytes += StatementMemory.sizeOf(rows.row());
            count++;
            if (chunk.size() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
                write(chunk);
                chunk.clear();
                bytes = 0;
            }
        }
        write(chunk);
        return count;
    }

    /** Rejects columns of the file that the view lacks: their values would be lost silently. */
    private int[] targets(List<QueryRows.Output> columns) {
        List<String> names =
                relation.columns().stream().map(RelationColumn::name).toList();
        int[] targets = new int[columns.size()];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = names.indexOf(columns.get(i).name());
            if (targets[i] < 0) {
                throw new SqlError(
                        SqlCode.UNDEFINED_COLUMN,
                        "the file's column \"" + columns.get(i).name() + "\" is not in " + relation.name());
            }
        }
        return targets;
    }

    private List<Value> values(@Nullable Object[] given, int[] targets) {
        Value[] row = new Value[relation.columns().size()];
        Arrays.fill(row, new Value.Absent());
        for (int i = 0; i < targets.length; i++) {
            Object value = Casts.to(relation.columns().get(targets[i]).type(), given[i]);
            if (value != null) {
                row[targets[i]] = ViewRelation.value(value);
            }
        }
        return List.of(row);
    }

    private void write(List<List<Value>> chunk) {
        if (chunk.isEmpty()) {
            return;
        }
        try {
            target.write(List.copyOf(chunk));
        } catch (StoreException refused) {
            throw refused.error() == StoreError.BAD_VALUE
                    ? new SqlError(SqlCode.DATA_EXCEPTION, String.valueOf(refused.getMessage()))
                    : refused;
        }
        progress.add(chunk.size());
    }
}
