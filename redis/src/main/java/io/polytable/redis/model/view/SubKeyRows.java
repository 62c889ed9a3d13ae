package io.polytable.redis.model.view;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.frontend.view.SoughtRows;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.list.ListShape;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One row per collection with its sub-keys as a JSON array; streams have tables of their own. The list is computed
 * when it is read: storing it would make every write as slow as the collection is large. For a very large collection
 * it is absent.
 */
final class SubKeyRows implements SoughtRows.Rows {
    private final RedisTables tables;
    private final Reader reader;
    private final LiveKeys keys;
    private final long listedMax;
    private final int charsMax;

    /** The sub-keys are absent when there are more than {@code listedMax}, or their text would exceed {@code charsMax}. */
    SubKeyRows(RedisTables tables, Reader reader, LiveKeys keys, long listedMax, int charsMax) {
        this.tables = tables;
        this.reader = reader;
        this.keys = keys;
        this.listedMax = listedMax;
        this.charsMax = charsMax;
    }

    @Override
    public boolean next() {
        while (keys.next()) {
            if (isListed()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean seek(List<Value> wanted) {
        return keys.seek(((Value.OfInt) wanted.get(0)).value(), ((Value.OfBytes) wanted.get(1)).value()) && isListed();
    }

    private boolean isListed() {
        return keys.header().type() != Type.STRING && keys.header().type() != Type.STREAM;
    }

    @Override
    public void add(int column, ColumnVector target) {
        switch (column) {
            case 0 -> target.add(new Value.OfBytes(keys.key()));
            case 1 -> target.add(subKeys((CollectionHeader) keys.header()));
            default -> target.add(new Value.OfInt(keys.database()));
        }
    }

    private Value subKeys(CollectionHeader header) {
        Optional<ElementKind> kind = ElementKind.counted(header.type());
        if (kind.isEmpty() || header.size() > listedMax) {
            return new Value.Absent();
        }
        String json = json(header, kind.get());
        return json.length() > charsMax ? new Value.Absent() : new Value.OfString(json);
    }

    /** Stops when it is too long. */
    private String json(CollectionHeader header, ElementKind kind) {
        StringBuilder json = new StringBuilder("[");
        int prefix = kind.hashOrdered() ? Layout.ELEMENT_PREFIX + KeyedHash.BYTES : Layout.ELEMENT_PREFIX;
        long index = 0;
        try (Cursor rows = reader.scan(tables.elements(header.home()), rows(header, kind))) {
            while (json.length() <= charsMax && rows.next()) {
                json.append(index == 0 ? "" : ",");
                String text = kind == ElementKind.LIST_ELEMENT
                        ? Long.toString(index)
                        : text(rows.key().from(prefix));
                appendString(json, text);
                index++;
            }
        }
        return json.append(']').toString();
    }

    private static KeyRange rows(CollectionHeader header, ElementKind kind) {
        return kind == ElementKind.LIST_ELEMENT ? ListShape.elements(header) : Layout.elements(header.id(), kind);
    }

    /** UTF-8 where it is valid; otherwise each byte as the character of its number, so that nothing is lost. */
    private static String text(Bytes bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length());
        try {
            return UTF_8.newDecoder().decode(buffer).toString();
        } catch (CharacterCodingException binary) {
            return new String(bytes.array(), bytes.offset(), bytes.length(), ISO_8859_1);
        }
    }

    private static void appendString(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    @Override
    public void close() {
        keys.close();
    }
}
