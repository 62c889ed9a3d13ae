package io.polytable.entity.meta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The layouts of all tables of an instance. The current one is a single record that is replaced by compare-and-set,
 * which makes an update atomic; earlier ones are kept beside it. The record of a table that is being dropped says so:
 * the table is no longer found, and its name cannot be reused until everything is removed.
 */
public final class LayoutTable {
    /** The key prefix of current layouts; the table's name follows. */
    public static final String CURRENT = "table/";

    private static final String DROPPING = "dropping";
    private static final String HISTORY = "layout/";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A layout and the time it was installed. */
    public record Version(long sequence, long atMillis, TableLayout layout) {}

    /** A version, and the bytes of its record. */
    public record Stored(Version version, Bytes record) {}

    private final StoreRecords records;
    private final InstantSource clock;

    public LayoutTable(StoreRecords records, InstantSource clock) {
        this.records = records;
        this.clock = clock;
    }

    /** The table whose current layout the record is, if it is one. */
    public static Optional<String> tableOf(String recordKey) {
        return recordKey.startsWith(CURRENT) ? Optional.of(recordKey.substring(CURRENT.length())) : Optional.empty();
    }

    public List<String> tables() {
        return records.withPrefix(CURRENT).entrySet().stream()
                .filter(entry -> !isDropping(entry.getValue()))
                .map(entry -> entry.getKey().substring(CURRENT.length()))
                .toList();
    }

    public Optional<Stored> find(String table) {
        return records.get(CURRENT + table)
                .filter(record -> !isDropping(record))
                .map(record -> new Stored(read(record), record));
    }

    /** The last layout of a table whose drop was not finished. */
    public Optional<Stored> dropping(String table) {
        return records.get(CURRENT + table)
                .filter(LayoutTable::isDropping)
                .map(record -> new Stored(read(record), record));
    }

    public Stored get(String table) {
        return find(table)
                .orElseThrow(() -> new EntityException(
                        EntityError.NO_SUCH_TABLE, "The instance has no such table", Map.of("table", table)));
    }

    /**
     * Compare-and-set: makes the layout current if the present one is still as it was read; empty: if there is none.
     */
    public boolean replace(Optional<Stored> present, TableLayout next) {
        long sequence = present.map(stored -> stored.version().sequence() + 1).orElse(1L);
        Bytes record = write(new Version(sequence, clock.millis(), next), node -> node);
        if (!records.replace(CURRENT + next.name(), present.map(Stored::record), record)) {
            return false;
        }
        records.put(historyKey(next.name(), sequence), record);
        return true;
    }

    /** The newest layouts first, at most so many. */
    public List<Version> history(String table, int limit) {
        List<Version> versions = new ArrayList<>();
        records.withPrefix(HISTORY + table + "/").descendingMap().values().stream()
                .limit(limit)
                .forEach(record -> versions.add(read(record)));
        return versions;
    }

    /** Starts a drop: the table is not found from here on. Returns whether its layout was still current. */
    public boolean beginDrop(String table, Stored present) {
        return records.replace(
                CURRENT + table,
                Optional.of(present.record()),
                write(present.version(), node -> node.put(DROPPING, true)));
    }

    public void removeHistory(String table) {
        records.withPrefix(HISTORY + table + "/").keySet().forEach(records::remove);
    }

    private static String historyKey(String table, long sequence) {
        return HISTORY + table + "/" + String.format("%012d", sequence);
    }

    private static Bytes write(Version version, UnaryOperator<ObjectNode> more) {
        try {
            ObjectNode node = JSON.createObjectNode();
            node.put("sequence", version.sequence()).put("at", version.atMillis());
            node.set("layout", JSON.readTree(version.layout().toJson()));
            return Bytes.of(JSON.writeValueAsBytes(more.apply(node)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A layout is JSON", e);
        }
    }

    /** Whether the record is of a table that is being dropped. */
    public static boolean isDropping(Bytes record) {
        return tree(record).path(DROPPING).booleanValue();
    }

    /** Decodes a record of a layout. */
    public static Version read(Bytes record) {
        JsonNode node = tree(record);
        return new Version(
                node.path("sequence").longValue(),
                node.path("at").longValue(),
                TableLayout.parse(node.path("layout").toString()));
    }

    private static JsonNode tree(Bytes record) {
        try {
            return JSON.readTree(record.utf8());
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.STORE_FAILED, "The record of a layout is damaged", Map.of(), e);
        }
    }
}
