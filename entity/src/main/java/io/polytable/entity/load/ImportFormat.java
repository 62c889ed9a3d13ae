package io.polytable.entity.load;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The formats of files; a name that ends with {@code .gz} is unpacked first. */
public enum ImportFormat {
    CSV,
    TSV,
    JSONL,
    AVRO;

    /** The format that a file's name says. */
    public static ImportFormat of(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
        if (name.endsWith(".csv")) {
            return CSV;
        }
        if (name.endsWith(".tsv")) {
            return TSV;
        }
        if (name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".json")) {
            return JSONL;
        }
        if (name.endsWith(".avro")) {
            return AVRO;
        }
        throw new EntityException(
                EntityError.BAD_REQUEST,
                "The file's name does not say its format",
                Map.of("file", file, "known", ".csv .tsv .jsonl .ndjson .json .avro"));
    }

    /** The records of a file. */
    public RecordSource open(Path file) throws IOException {
        boolean packed = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        InputStream raw = Files.newInputStream(file);
        try {
            InputStream in = packed ? new GZIPInputStream(raw, 1 << 16) : raw;
            return switch (this) {
                case CSV -> new CsvSource(in, ',');
                case TSV -> new CsvSource(in, '\t');
                case JSONL -> new JsonLinesSource(in);
                case AVRO -> new AvroSource(in);
            };
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }
}
