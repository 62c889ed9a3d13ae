package io.polytable.entity.load;

import io.polytable.entity.EntityTable;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.load.ImportReport.Rejected;
import io.polytable.entity.load.RecordSource.BadRecord;
import io.polytable.entity.load.RecordSource.Fields;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.write.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Imports records into a table. An invalid record is rejected; a failure of the store ends the import. {@link #report}
 * then says how many records were read, and a second import that skips as many resumes there.
 */
public final class BulkImport {
    private static final int KEPT_MAX = 20;
    private static final int FLUSH_RECORDS = 1000;
    private static final long FLUSH_CHARS = 4 << 20;
    private static final long FLUSH_CELLS = 20_000;

    private final EntityTable table;
    private final ImportPlan plan;
    private final List<Rejected> first = new ArrayList<>();
    private Consumer<Rejected> onRejected = rejected -> {};
    private Consumer<ImportReport> onProgress = report -> {};
    private long rejectedMax = Long.MAX_VALUE;
    private long skip;
    private long read;
    private long flushed;
    private long written;
    private long rejected;
    private long settledRead;
    private long settledRejected;
    private long pendingChars;
    private long pendingCells;

    public BulkImport(EntityTable table, ImportPlan plan) {
        this.table = table;
        this.plan = plan;
    }

    /** Called for each rejected record. */
    public BulkImport onRejected(Consumer<Rejected> call) {
        onRejected = call;
        return this;
    }

    /** Called after each batch. */
    public BulkImport onProgress(Consumer<ImportReport> call) {
        onProgress = call;
        return this;
    }

    /** Ends the import when more records than this are rejected. */
    public BulkImport rejectingAtMost(long records) {
        rejectedMax = records;
        return this;
    }

    /** Skips the first records: an earlier import has written them. */
    public BulkImport skipping(long records) {
        skip = records;
        return this;
    }

    /**
     * The progress of the import. Records that are not flushed yet do not count, not even as read: an import that skips
     * the records read must not miss any.
     */
    public ImportReport report() {
        return new ImportReport(settledRead, flushed, settledRejected, first);
    }

    public ImportReport run(RecordSource source) throws IOException {
        TableLayout layout = table.layout();
        LayoutColumns columns = new LayoutColumns(layout);
        plan.columns().values().forEach(columns::schema);
        if (source.hasHead()) {
            checkFields(source);
        }
        BufferedWriter writer = table.bufferedWriter();
        // No automatic flush: a failure of the store would look like one of the record.
        writer.setBufferBytes(Long.MAX_VALUE);
        while (rejected <= rejectedMax && step(source, layout, columns, writer)) {
            boolean isFull =
                    written - flushed >= FLUSH_RECORDS || pendingChars >= FLUSH_CHARS || pendingCells >= FLUSH_CELLS;
            if (isFull) {
                flush(writer);
            }
        }
        flush(writer);
        if (rejected > rejectedMax) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "Too many records were rejected",
                    Map.of("rejected", rejected, "read", read, "written", flushed));
        }
        if (read > 0) {
            checkFields(source);
        }
        return report();
    }

    /** Refuses a missing field: it would silently change an id, set a time to now, or omit a column. */
    private void checkFields(RecordSource source) {
        List<String> missing =
                plan.named().stream().filter(field -> !source.has(field)).toList();
        if (!missing.isEmpty()) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "The file has no such field",
                    Map.of("fields", missing, "read", read, "written", flushed));
        }
    }

    private void flush(BufferedWriter writer) {
        writer.flush();
        flushed = written;
        settledRead = read;
        settledRejected = rejected;
        pendingChars = 0;
        pendingCells = 0;
        onProgress.accept(report());
    }

    /** Imports or rejects one record; returns whether there was one. */
    private boolean step(RecordSource source, TableLayout layout, LayoutColumns columns, BufferedWriter writer)
            throws IOException {
        try {
            Optional<Fields> next = source.next();
            if (next.isEmpty()) {
                return false;
            }
            read++;
            if (read > skip) {
                importOne(next.get(), layout, columns, writer);
            }
        } catch (BadRecord e) {
            read++;
            if (read > skip) {
                reject(new Rejected(e.number(), String.valueOf(e.getMessage()), e.original()));
            }
        }
        return true;
    }

    private void importOne(Fields record, TableLayout layout, LayoutColumns columns, BufferedWriter writer) {
        EntityId id;
        long time;
        Map<String, Object> values = new LinkedHashMap<>();
        try {
            id = table.id(FieldValues.ofId(layout.keys(), plan.ids(), record.fields()));
            Object at = plan.time().map(record.fields()::get).orElse(null);
            time = at == null ? CellEdit.NOW : FieldValues.time(plan.time().orElse(""), at);
            for (Map.Entry<String, ColumnName> field :
                    plan.columnsOf(record.fields().keySet()).entrySet()) {
                String column = field.getValue().toString();
                Object value = record.fields().get(field.getKey());
                if (value != null) {
                    values.put(column, FieldValues.ofColumn(column, columns.schema(field.getValue()), value));
                }
            }
            if (values.isEmpty()) {
                throw new EntityException(EntityError.BAD_VALUE, "The record has no field of a column");
            }
            writer.putAll(id, time, values);
        } catch (EntityException e) {
            if (!isOfRecord(e.error())) {
                throw e;
            }
            reject(new Rejected(record.number(), String.valueOf(e.getMessage()), record.original()));
            return;
        }
        written++;
        pendingChars += record.original().length();
        pendingCells += values.size();
    }

    /** Whether the failure is due to the record, not to the store. */
    private static boolean isOfRecord(EntityError error) {
        return switch (error) {
            case BAD_VALUE, BAD_ENTITY_ID, BAD_NAME, NO_SUCH_COLUMN, TOO_LARGE, INCOMPATIBLE_SCHEMA, BAD_REQUEST ->
                true;
            default -> false;
        };
    }

    private void reject(Rejected record) {
        rejected++;
        if (first.size() < KEPT_MAX) {
            first.add(record);
        }
        onRejected.accept(record);
    }
}
