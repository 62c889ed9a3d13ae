package io.polytable.entity.schema;

import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/**
 * The schemas of all written values, each under a number and under the MD5 of its text. Entries never change and are
 * never removed, so they can be cached forever.
 *
 * <p>A new schema first gets a number of its own, then its hash is claimed for that number. If two processes register
 * the same schema concurrently, the loser's number refers to the schema as well.
 */
public final class SchemaTable {
    private static final String BY_ID = "schema/id/";
    private static final String BY_HASH = "schema/hash/";
    private static final String NEXT = "schema/next";

    /** A schema with its number and hash. */
    public record Entry(long id, Bytes hash, Schema schema) {}

    private final StoreRecords records;
    private final Map<Schema, Entry> bySchema = new ConcurrentHashMap<>();
    private final Map<Long, Entry> byId = new ConcurrentHashMap<>();
    private final Map<Bytes, Entry> byHash = new ConcurrentHashMap<>();

    public SchemaTable(StoreRecords records) {
        this.records = records;
    }

    /** The schema's entry, created if there is none. */
    public Entry register(Schema schema) {
        Entry known = bySchema.get(schema);
        if (known != null) {
            return known;
        }
        Bytes hash = hashOf(schema);
        Entry entry = findByHash(hash).orElseGet(() -> create(schema, hash));
        bySchema.put(schema, entry);
        return entry;
    }

    private Entry create(Schema schema, Bytes hash) {
        long id = nextId();
        records.put(BY_ID + id, Bytes.utf8(schema.toString()));
        if (records.replace(BY_HASH + hex(hash), Optional.empty(), Bytes.utf8(String.valueOf(id)))) {
            return remember(new Entry(id, hash, schema));
        }
        // A hash entry that refers to another schema, by mistake or by malice, is ignored: the number decides.
        return findByHash(hash).orElseGet(() -> {
            Entry entry = new Entry(id, hash, schema);
            byId.put(id, entry);
            return entry;
        });
    }

    private long nextId() {
        while (true) {
            Optional<Bytes> last = records.get(NEXT);
            long id = last.map(text -> Long.parseLong(text.utf8())).orElse(0L);
            if (records.replace(NEXT, last, Bytes.utf8(String.valueOf(id + 1)))) {
                return id;
            }
        }
    }

    public Optional<Entry> findById(long id) {
        Entry known = byId.get(id);
        if (known != null) {
            return Optional.of(known);
        }
        return records.get(BY_ID + id).map(text -> {
            Schema schema = SchemaText.parse(text.utf8());
            Entry entry = new Entry(id, hashOf(schema), schema);
            byId.put(id, entry);
            return entry;
        });
    }

    public Optional<Entry> findByHash(Bytes hash) {
        Entry known = byHash.get(hash);
        if (known != null) {
            return Optional.of(known);
        }
        return records.get(BY_HASH + hex(hash))
                .flatMap(id -> findById(Long.parseLong(id.utf8())))
                .filter(entry -> entry.hash().equals(hash))
                .map(this::remember);
    }

    public Schema byId(long id) {
        return findById(id)
                .orElseThrow(() ->
                        new EntityException(EntityError.UNKNOWN_SCHEMA, "No schema has this number", Map.of("id", id)))
                .schema();
    }

    public Schema byHash(Bytes hash) {
        return findByHash(hash)
                .orElseThrow(() -> new EntityException(
                        EntityError.UNKNOWN_SCHEMA, "No schema has this hash", Map.of("hash", hex(hash))))
                .schema();
    }

    /** All schemas, by number. */
    public List<Entry> list() {
        List<Entry> entries = new ArrayList<>();
        records.withPrefix(BY_ID).keySet().stream()
                .map(key -> Long.parseLong(key.substring(BY_ID.length())))
                .sorted()
                .forEach(id -> findById(id).ifPresent(entries::add));
        return entries;
    }

    private Entry remember(Entry entry) {
        byId.put(entry.id(), entry);
        byHash.put(entry.hash(), entry);
        return entry;
    }

    public static Bytes hashOf(Schema schema) {
        try {
            return Bytes.of(MessageDigest.getInstance("MD5")
                    .digest(Bytes.utf8(schema.toString()).toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has MD5", e);
        }
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}
