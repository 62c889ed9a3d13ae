package io.polytable.cells.store.write;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Map;

/** The counter codec: eight bytes, big-endian. Overflow wraps around, as in HBase. */
final class Counters {
    private Counters() {}

    static Bytes of(long value) {
        return new BytesWriter(Long.BYTES).i64(value).toBytes();
    }

    static long read(Cell cell) {
        if (cell.value().length() != Long.BYTES) {
            throw new CellException(
                    CellError.NOT_A_COUNTER,
                    "A value that is incremented is not eight bytes long",
                    Map.of("bytes", cell.value().length(), "qualifier", cell.qualifier()));
        }
        return new BytesReader(cell.value()).i64();
    }
}
