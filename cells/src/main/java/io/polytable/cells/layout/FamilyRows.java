package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.table.Bytes;
import io.polytable.table.Column;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.Value;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.codec.ValueCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The row codec of the family layout. A family's column holds the newest live value of each qualifier. The column
 * {@link PerFamily#HISTORY} holds every stored cell, and the values that the families' columns do not hold.
 */
final class FamilyRows {
    private static final int VERSION = 1;

    /** Flags of a cell in the history. */
    private static final int SHOWN = 1;

    private static final int WITH_TTL = 2;

    private final List<Column> columns;
    private final ValueCodec codec;

    FamilyRows(Table table) {
        codec = ValueCodec.of(table.spec());
        columns = codec.columns();
    }

    /** Encodes cells that are in order. */
    Bytes encode(Iterable<Cell> cells) {
        BytesWriter history = new BytesWriter();
        history.u8(VERSION);
        Map<Bytes, Map<Bytes, Bytes>> shown = new HashMap<>();
        NewestLive live = new NewestLive();
        for (Cell cell : cells) {
            boolean isShown = live.is(cell);
            if (isShown) {
                shown.computeIfAbsent(cell.family(), family -> new TreeMap<>()).put(cell.qualifier(), cell.value());
            }
            writeCell(history, cell, isShown);
        }
        List<Value> values = new ArrayList<>(columns.size());
        for (Column column : columns) {
            values.add(columnValue(column, history, shown));
        }
        return codec.encode(values);
    }

    private static Value columnValue(Column column, BytesWriter history, Map<Bytes, Map<Bytes, Bytes>> shown) {
        if (column.name().equals(PerFamily.HISTORY)) {
            return new Value.OfBytes(history.toBytes());
        }
        Map<Bytes, Bytes> family = shown.get(Bytes.utf8(column.name()));
        return family == null ? new Value.Absent() : new Value.OfBytes(encodeFamily(family));
    }

    private static void writeCell(BytesWriter out, Cell cell, boolean isShown) {
        boolean hasTtl = cell.ttlMillis() != Cell.NO_TTL;
        out.u8(cell.kind().code()).u8((isShown ? SHOWN : 0) | (hasTtl ? WITH_TTL : 0));
        out.sized(cell.family()).sized(cell.qualifier()).zigzag(cell.timestamp());
        if (hasTtl) {
            out.varint(cell.ttlMillis());
        }
        if (!isShown) {
            out.sized(cell.value());
        }
    }

    /** A count, then length and bytes of each qualifier and value; all numbers are four bytes, big-endian. */
    private static Bytes encodeFamily(Map<Bytes, Bytes> family) {
        BytesWriter out = new BytesWriter();
        out.i32(family.size());
        family.forEach((qualifier, value) ->
                out.i32(qualifier.length()).raw(qualifier).i32(value.length()).raw(value));
        return out.toBytes();
    }

    static Map<Bytes, Bytes> decodeFamily(Bytes bytes) {
        BytesReader in = new BytesReader(bytes);
        Map<Bytes, Bytes> family = new HashMap<>();
        for (int left = in.i32(); left > 0; left--) {
            Bytes qualifier = in.raw(in.i32());
            family.put(qualifier, in.raw(in.i32()));
        }
        in.end();
        return family;
    }

    List<Cell> decode(Bytes row, Bytes stored) {
        try {
            return decodeCells(row, codec.decode(stored));
        } catch (StoreException e) {
            throw new CellException(CellError.CORRUPT, "A row of families is damaged", Map.of("row", row), e);
        }
    }

    private List<Cell> decodeCells(Bytes row, List<Value> values) {
        Map<Bytes, Map<Bytes, Bytes>> shown = new HashMap<>();
        Bytes history = Bytes.EMPTY;
        for (int i = 0; i < columns.size(); i++) {
            if (values.get(i) instanceof Value.OfBytes bytes) {
                String name = columns.get(i).name();
                if (name.equals(PerFamily.HISTORY)) {
                    history = bytes.value();
                } else {
                    shown.put(Bytes.utf8(name), decodeFamily(bytes.value()));
                }
            }
        }
        BytesReader in = new BytesReader(history);
        if (in.u8() != VERSION) {
            throw Damage.of("Unknown version of a row's history", history);
        }
        List<Cell> cells = new ArrayList<>();
        while (in.remaining() > 0) {
            cells.add(readCell(in, row, shown));
        }
        return cells;
    }

    private static Cell readCell(BytesReader in, Bytes row, Map<Bytes, Map<Bytes, Bytes>> shown) {
        CellKind kind = CellKind.ofCode(in.u8());
        int flags = in.u8();
        Bytes family = in.sized();
        Bytes qualifier = in.sized();
        long timestamp = in.zigzag();
        long ttl = (flags & WITH_TTL) != 0 ? in.varint() : Cell.NO_TTL;
        Bytes value = (flags & SHOWN) == 0
                ? in.sized()
                : shown.getOrDefault(family, Map.of()).get(qualifier);
        if (value == null) {
            throw Damage.of("A value is not where the history says", qualifier);
        }
        return new Cell(row, family, qualifier, timestamp, kind, value, ttl);
    }
}
