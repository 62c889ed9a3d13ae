package io.polytable.entity.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A JSON object in each line. */
final class JsonLinesSource implements RecordSource {
    private static final int LINE_CHARS_MAX = 16 << 20;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** Field names that are data themselves, such as qualifiers, are not all recorded. */
    private static final int NAMES_MAX = 10_000;

    private final Set<String> names = new HashSet<>();
    private final CountingInput bytes;
    private final Reader in;
    private long line;

    JsonLinesSource(InputStream file) {
        bytes = new CountingInput(file);
        in = Utf8Text.reader(bytes);
    }

    @Override
    public Optional<Fields> next() throws IOException, BadRecord {
        Optional<String> text = line();
        while (text.isPresent() && text.get().isBlank()) {
            text = line();
        }
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String original = text.get();
        try {
            JsonNode tree = JSON.readTree(original);
            if (!tree.isObject()) {
                throw new BadRecord(line, original, "is not a JSON object");
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            tree.properties().forEach(field -> {
                if (names.size() < NAMES_MAX) {
                    names.add(field.getKey());
                }
                if (!field.getValue().isNull()) {
                    fields.put(field.getKey(), field.getValue());
                }
            });
            return Optional.of(new Fields(line, fields, original));
        } catch (JsonProcessingException e) {
            throw new BadRecord(line, original, "is not JSON: " + e.getOriginalMessage());
        }
    }

    private Optional<String> line() throws IOException {
        StringBuilder text = new StringBuilder();
        int c = in.read();
        if (c < 0) {
            return Optional.empty();
        }
        line++;
        while (c >= 0 && c != '\n') {
            text.append((char) c);
            if (text.length() > LINE_CHARS_MAX) {
                throw new IOException("Line " + line + " is longer than " + LINE_CHARS_MAX + " characters");
            }
            c = in.read();
        }
        return Optional.of(text.toString());
    }

    @Override
    public boolean hasHead() {
        return false;
    }

    @Override
    public boolean has(String field) {
        return names.size() >= NAMES_MAX || names.contains(field);
    }

    @Override
    public long bytesRead() {
        return bytes.count();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
