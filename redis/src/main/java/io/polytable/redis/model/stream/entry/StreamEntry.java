package io.polytable.redis.model.stream.entry;

import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of a stream.
 *
 * @param fields names and values alternate; empty when the entry is pending but was deleted from the stream
 */
public record StreamEntry(StreamId id, List<Bytes> fields) {
    public static StreamEntry gone(StreamId id) {
        return new StreamEntry(id, List.of());
    }

    public boolean isGone() {
        return fields.isEmpty();
    }

    public static StreamEntry decode(StreamId id, Bytes row) {
        return new StreamEntry(id, fields(row));
    }

    /** Decodes an entry's row: names and values alternate. */
    public static List<Bytes> fields(Bytes row) {
        BytesReader reader = new BytesReader(row);
        int words = 2 * reader.count();
        List<Bytes> fields = new ArrayList<>(words);
        for (int i = 0; i < words; i++) {
            fields.add(reader.sized());
        }
        reader.end();
        return fields;
    }

    /** Encodes an entry's row: the number of fields, then each name and value with its length. */
    public static Bytes encode(List<Bytes> fields) {
        int length = 5;
        for (Bytes word : fields) {
            length += 5 + word.length();
        }
        BytesWriter writer = new BytesWriter(length);
        writer.varint(fields.size() / 2);
        for (Bytes word : fields) {
            writer.sized(word);
        }
        return writer.toBytes();
    }
}
