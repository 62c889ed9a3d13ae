package io.polytable.cells.store.definition;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The metadata table: definitions of cell tables, saved copies, and the records of callers. */
public final class Definitions {
    /** All physical tables of cells are in this namespace. */
    public static final String NAMESPACE = "cells";

    public static final TableName NAME = new TableName(NAMESPACE, "definitions");

    /** The first byte of a key. */
    public enum Section {
        TABLE('t'),
        SAVED('s'),
        RECORD('r');

        private final byte letter;

        Section(char letter) {
            this.letter = (byte) letter;
        }

        private Bytes key(Bytes rest) {
            return Bytes.of(new byte[] {letter}).concat(rest);
        }
    }

    private final TableStore store;
    private final Table table;

    public Definitions(TableStore store) {
        this.store = store;
        table = store.create(new TableSpec(
                NAME,
                TableKind.FACE,
                List.of(new Column("key", ColumnType.BYTES), new Column("value", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("key")),
                List.of(),
                TableOptions.DEFAULT));
    }

    public static Bytes key(TableName name) {
        return Bytes.utf8(name.namespace() + "\0" + name.name());
    }

    public Optional<Bytes> read(Section section, Bytes key) {
        return store.read(table, rowKey(section, key));
    }

    /** Durable when it returns. */
    public void put(Section section, Bytes key, Bytes value) {
        AnswerGate.settle(store.commit(new Batch().put(table, rowKey(section, key), value)));
    }

    public void remove(Section section, Bytes key) {
        AnswerGate.settle(store.commit(new Batch().delete(table, rowKey(section, key))));
    }

    private static RowKey rowKey(Section section, Bytes key) {
        return RowKey.whole(section.key(key));
    }

    public Table table() {
        return table;
    }

    public NavigableMap<Bytes, Bytes> all(Section section, Bytes prefix) {
        return all(store, section, prefix);
    }

    private NavigableMap<Bytes, Bytes> all(Reader reader, Section section, Bytes prefix) {
        NavigableMap<Bytes, Bytes> found = new TreeMap<>();
        try (Cursor cursor = reader.scan(table, KeyRange.prefix(section.key(prefix)))) {
            while (cursor.next()) {
                found.put(cursor.key().from(1).copy(), cursor.value().copy());
            }
        }
        return found;
    }

    public List<Definition> definitions(Section section) {
        return definitions(store, section);
    }

    /** The definitions that a reader sees. */
    public List<Definition> definitions(Reader reader, Section section) {
        List<Definition> definitions = new ArrayList<>();
        all(reader, section, Bytes.EMPTY).values().forEach(value -> definitions.add(DefinitionCodec.decode(value)));
        return definitions;
    }
}
