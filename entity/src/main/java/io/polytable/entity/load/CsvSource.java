package io.polytable.entity.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * CSV as in RFC 4180: fields separated by a separator, in double quotes if they contain separators, quotes (doubled) or
 * line ends. The first line names the fields. An empty field without quotes is absent.
 */
final class CsvSource implements RecordSource {
    private static final int END = -1;
    private static final int RECORD_CHARS_MAX = 16 << 20;

    private final CountingInput bytes;
    private final Reader in;
    private final char separator;
    private final List<String> names;
    private final StringBuilder original = new StringBuilder();
    private long line = 1;
    private int pushed = END;
    private int endedBy = END;

    CsvSource(InputStream file, char separator) throws IOException {
        bytes = new CountingInput(file);
        in = Utf8Text.reader(bytes);
        this.separator = separator;
        List<String> header = new ArrayList<>();
        try {
            record().orElse(List.of()).forEach(field -> header.add(field.text.strip()));
        } catch (BadRecord e) {
            throw new IOException("The header cannot be read: " + e.getMessage(), e);
        }
        if (!header.isEmpty() && header.get(0).startsWith("\uFEFF")) {
            header.set(0, header.get(0).substring(1));
        }
        names = List.copyOf(header);
        if (Set.copyOf(names).size() != names.size()) {
            throw new IOException("The header names a field twice: " + names);
        }
    }

    /** A field; it is present when it has text, or quotes that say it is empty. */
    private record Field(String text, boolean present) {}

    @Override
    public Optional<Fields> next() throws IOException, BadRecord {
        long first = line;
        Optional<List<Field>> record = record();
        if (record.isEmpty()) {
            return Optional.empty();
        }
        List<Field> fields = record.get();
        if (fields.size() != names.size()) {
            throw new BadRecord(
                    first, original.toString(), "has " + fields.size() + " fields, the header has " + names.size());
        }
        Map<String, Object> byName = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).present) {
                byName.put(names.get(i), fields.get(i).text);
            }
        }
        return Optional.of(new Fields(first, byName, original.toString()));
    }

    /** The next line that is not empty, cut into fields. */
    private Optional<List<Field>> record() throws IOException, BadRecord {
        int c = in.read();
        while (c == '\n' || c == '\r') {
            line += c == '\n' ? 1 : 0;
            c = in.read();
        }
        if (c == END) {
            return Optional.empty();
        }
        original.setLength(0);
        original.append((char) c);
        pushed = c;
        long first = line;
        List<Field> fields = new ArrayList<>();
        do {
            fields.add(field(first));
        } while (endedBy == separator);
        line++;
        trimEnd();
        return Optional.of(fields);
    }

    private void trimEnd() {
        while (!original.isEmpty() && "\r\n".indexOf(original.charAt(original.length() - 1)) >= 0) {
            original.setLength(original.length() - 1);
        }
    }

    /** Up to and with the separator, line end or end of the file, which {@link #endedBy} then is. */
    private Field field(long first) throws IOException, BadRecord {
        StringBuilder text = new StringBuilder();
        int c = read();
        boolean quoted = c == '"';
        if (quoted) {
            c = quoted(first, text);
        }
        boolean isStray = quoted && !isFieldEnd(c) && c != '\r';
        while (!isFieldEnd(c)) {
            if (!quoted) {
                text.append((char) c);
            }
            c = read();
        }
        endedBy = c;
        if (isStray) {
            skipLine();
            throw new BadRecord(first, original.toString(), "has text behind a closing quote");
        }
        if (c != separator && !text.isEmpty() && !quoted && text.charAt(text.length() - 1) == '\r') {
            text.setLength(text.length() - 1);
        }
        return new Field(text.toString(), quoted || !text.isEmpty());
    }

    private boolean isFieldEnd(int c) {
        return c == separator || c == '\n' || c == END;
    }

    /** The text up to the closing quote; returns what stands behind that. */
    private int quoted(long first, StringBuilder text) throws IOException, BadRecord {
        while (true) {
            int c = read();
            if (c == END) {
                throw new BadRecord(first, brief(), "has a quote that is not closed");
            }
            if (c == '"') {
                int next = read();
                if (next != '"') {
                    return next;
                }
            }
            line += c == '\n' ? 1 : 0;
            text.append((char) c);
        }
    }

    private void skipLine() throws IOException {
        while (endedBy != '\n' && endedBy != END) {
            endedBy = read();
        }
        line++;
        trimEnd();
    }

    private String brief() {
        return original.length() <= 200 ? original.toString() : original.substring(0, 200) + "...";
    }

    private int read() throws IOException {
        if (pushed != END) {
            int c = pushed;
            pushed = END;
            return c;
        }
        int c = in.read();
        if (c != END) {
            original.append((char) c);
        }
        // A quote that is never closed would otherwise take the rest of the file into memory.
        if (original.length() > RECORD_CHARS_MAX) {
            throw new IOException("The record at line " + line + " is longer than " + RECORD_CHARS_MAX + " characters");
        }
        return c;
    }

    @Override
    public boolean hasHead() {
        return true;
    }

    @Override
    public boolean has(String field) {
        return names.contains(field);
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
