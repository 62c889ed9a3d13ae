package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The function libraries of the store: the code of each by its name. Immutable, and one row for each in the store. */
public final class Libraries {
    /** The code of all libraries together. */
    public static final long BYTES_MAX = 16L << 20;

    /** The tag of a library in Lua, the only engine. */
    private static final byte LUA = 1;

    private static final Libraries NONE = new Libraries(new TreeMap<>());

    private final Map<String, Bytes> codeByName;

    private Libraries(Map<String, Bytes> codeByName) {
        this.codeByName = Collections.unmodifiableMap(codeByName);
    }

    public static Libraries none() {
        return NONE;
    }

    /** The code of each library by its name, in the order of the names. */
    public Map<String, Bytes> all() {
        return codeByName;
    }

    /**
     * Adds or replaces a library.
     *
     * @throws RedisError when the code of all libraries would be too large
     */
    public Libraries with(String name, Bytes code) {
        Map<String, Bytes> next = new TreeMap<>(codeByName);
        next.put(name, code);
        Libraries larger = new Libraries(next);
        if (larger.bytes() > BYTES_MAX) {
            throw new RedisError("The code of all libraries together is limited to " + BYTES_MAX + " bytes");
        }
        return larger;
    }

    /** The code of all libraries together. */
    public long bytes() {
        return codeByName.values().stream().mapToLong(Bytes::length).sum();
    }

    public Libraries without(String name) {
        Map<String, Bytes> next = new TreeMap<>(codeByName);
        next.remove(name);
        return new Libraries(next);
    }

    static Libraries read(Reader reader, Table table) {
        Map<String, Bytes> found = new TreeMap<>();
        try (Cursor rows = reader.scan(table, KeyRange.ALL)) {
            while (rows.next()) {
                Bytes row = rows.value();
                if (row.length() == 0 || row.at(0) != LUA) {
                    throw new StoreException(
                            StoreError.NEWER_FORMAT,
                            "A function library has an engine unknown here",
                            Map.of("library", rows.key().utf8()));
                }
                found.put(rows.key().utf8(), row.from(1).copy());
            }
        }
        return new Libraries(found);
    }

    /** Writes the rows in which this differs from what the store has. */
    void write(WriteSet work, Table table, Libraries before) {
        before.codeByName.keySet().stream()
                .filter(name -> !codeByName.containsKey(name))
                .forEach(name -> work.delete(table, key(name)));
        codeByName.forEach((name, code) -> {
            if (!before.codeByName.getOrDefault(name, Bytes.EMPTY).equals(code)) {
                byte[] row = new byte[1 + code.length()];
                row[0] = LUA;
                System.arraycopy(code.array(), code.offset(), row, 1, code.length());
                work.put(table, key(name), Bytes.of(row));
            }
        });
    }

    private static RowKey key(String name) {
        return RowKey.whole(Bytes.utf8(name));
    }
}
