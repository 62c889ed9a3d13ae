package io.polytable.entity.wire;

import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;

/** Encodes rows and cells. */
public final class RowCodec {
    private RowCodec() {}

    public static void write(BytesWriter out, StoredRow row) {
        out.sized(row.rowKey());
        write(out, row.cells());
    }

    public static StoredRow row(BytesReader in) {
        Bytes rowKey = in.sized().copy();
        return new StoredRow(rowKey, cells(in));
    }

    static void write(BytesWriter out, List<StoredCell> cells) {
        out.varint(cells.size());
        for (StoredCell cell : cells) {
            out.text(cell.familyId())
                    .text(cell.qualifier())
                    .zigzag(cell.timestamp())
                    .sized(cell.value());
        }
    }

    static List<StoredCell> cells(BytesReader in) {
        int count = in.count();
        List<StoredCell> cells = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            cells.add(
                    new StoredCell(in.text(), in.text(), in.zigzag(), in.sized().copy()));
        }
        return cells;
    }
}
