package io.polytable.cells.layout;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.table.Bytes;
import java.util.Map;

/** Makes the exception for corrupt stored bytes. */
final class Damage {
    private static final int SHOWN_BYTES_MAX = 64;

    private Damage() {}

    static CellException of(String text, Bytes bytes) {
        Bytes shown = bytes.slice(0, Math.min(bytes.length(), SHOWN_BYTES_MAX));
        return new CellException(CellError.CORRUPT, text, Map.of("bytes", shown));
    }
}
