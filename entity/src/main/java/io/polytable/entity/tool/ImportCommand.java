package io.polytable.entity.tool;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.EntityTable;
import io.polytable.entity.load.BulkImport;
import io.polytable.entity.load.ImportFormat;
import io.polytable.entity.load.ImportPlan;
import io.polytable.entity.load.ImportReport;
import io.polytable.entity.load.RecordSource;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code polytable entity import}: imports the records of a file as entities. */
@Command(
        name = "import",
        description = "Imports a CSV, JSON lines or Avro file. Fields named family:column need not be mapped.")
final class ImportCommand extends UriCommand {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int BAR_WIDTH = 30;

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = ".csv, .tsv, .jsonl or .avro; .gz behind it is unpacked")
    private Path file = Path.of("");

    @Option(names = "--id", required = true, split = ",", paramLabel = "FIELD", description = "the entity id's fields")
    private List<String> ids = List.of();

    @Option(names = "--column", paramLabel = "FIELD=COLUMN", description = "what a field becomes; may be repeated")
    private Map<String, String> columns = new LinkedHashMap<>();

    @Option(names = "--time", paramLabel = "FIELD", description = "the cells' timestamp, in milliseconds")
    private Optional<String> time = Optional.empty();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "CSV, TSV, JSONL or AVRO, if the name does not say")
    private Optional<ImportFormat> format = Optional.empty();

    @Option(names = "--rejected", paramLabel = "FILE", description = "gets the rejected records, a JSON object a line")
    private Optional<Path> rejects = Optional.empty();

    @Option(names = "--max-rejected", paramLabel = "N", description = "ends when more records are rejected")
    private long maxRejected = Long.MAX_VALUE;

    @Option(
            names = "--skip",
            paramLabel = "N",
            description = "leaves out the first records: an earlier import has them")
    private long skip;

    @Override
    void run(EntityUri uri) throws IOException {
        Map<String, ColumnName> mapped = new LinkedHashMap<>();
        columns.forEach((field, column) -> mapped.put(field, ColumnName.parse(column)));
        ImportPlan plan = new ImportPlan(ids, mapped, time);
        try (RecordSource source = format.orElseGet(() -> ImportFormat.of(file)).open(file);
                Rejects rejected = new Rejects(rejects)) {
            inTable(uri, table -> load(table, plan, source, rejected));
        }
    }

    private void load(EntityTable table, ImportPlan plan, RecordSource source, Rejects rejected) {
        BulkImport load = new BulkImport(table, plan)
                .skipping(skip)
                .rejectingAtMost(maxRejected)
                .onRejected(rejected::add)
                .onProgress(report -> progress(report, source.bytesRead()));
        try {
            ImportReport report = load.run(source);
            rejected.flush();
            err().println();
            report.first().forEach(record -> err().println("rejected " + record.number() + ": " + record.reason()));
            out().println(report.written() + " records imported"
                    + (report.rejected() == 0 ? "" : ", " + report.rejected() + " rejected"));
            if (report.rejected() > 0) {
                throw new EntityException(
                        EntityError.BAD_VALUE, "Records were rejected", Map.of("rejected", report.rejected()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ImportReport last = load.report();
            err().println("read " + last.read() + ", written " + last.written() + ", rejected " + last.rejected());
            err().flush();
        }
    }

    private void progress(ImportReport report, long bytes) {
        long size = Math.max(1, file.toFile().length());
        int done = (int) Math.min(BAR_WIDTH, BAR_WIDTH * bytes / size);
        err().print("\r[" + "#".repeat(done) + ".".repeat(BAR_WIDTH - done) + "] " + report.written() + " records");
        err().flush();
    }

    /** The file of rejected records, if requested. A full disk ends the import: the report would be incomplete. */
    private static final class Rejects implements AutoCloseable {
        private final Optional<BufferedWriter> out;

        Rejects(Optional<Path> file) throws IOException {
            out = file.isPresent() ? Optional.of(Files.newBufferedWriter(file.get())) : Optional.empty();
        }

        void add(ImportReport.Rejected record) {
            if (out.isPresent()) {
                ObjectNode line = JSON.createObjectNode();
                line.put("number", record.number())
                        .put("reason", record.reason())
                        .put("record", record.original());
                try {
                    out.get().write(line + System.lineSeparator());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void flush() throws IOException {
            if (out.isPresent()) {
                out.get().flush();
            }
        }

        @Override
        public void close() throws IOException {
            if (out.isPresent()) {
                out.get().close();
            }
        }
    }
}
