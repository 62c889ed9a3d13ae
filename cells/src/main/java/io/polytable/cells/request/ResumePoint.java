package io.polytable.cells.request;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Map;
import java.util.Optional;

/**
 * The position at which a scan stopped. Another scan can resume there, even in another process and much later.
 *
 * @param row the last row that was examined
 * @param lastCell the row's last returned cell, if the row may have more; empty if the row is done
 * @param familyCells how many cells of that cell's family in the row count towards the selection's limit and offset
 */
public record ResumePoint(Bytes row, Optional<CellPosition> lastCell, int familyCells) {
    private static final int VERSION = 1;

    public static ResumePoint afterRow(Bytes row) {
        return new ResumePoint(row, Optional.empty(), 0);
    }

    /** Encodes the position as an opaque token for clients. */
    public Bytes toToken() {
        BytesWriter out = new BytesWriter();
        out.u8(VERSION).sized(row).u8(lastCell.isPresent() ? 1 : 0);
        lastCell.ifPresent(cell -> out.sized(cell.family())
                .sized(cell.qualifier())
                .i64(cell.timestamp())
                .u8(cell.kindCode())
                .varint(familyCells));
        return out.toBytes();
    }

    /** Decodes a token; {@link CellError#BAD_REQUEST} if it is malformed. */
    public static ResumePoint ofToken(Bytes token) {
        try {
            BytesReader in = new BytesReader(token);
            if (in.u8() != VERSION) {
                throw new CellException(CellError.BAD_REQUEST, "Not a resume token of this version");
            }
            Bytes row = in.sized();
            if (in.u8() == 0) {
                in.end();
                return afterRow(row);
            }
            CellPosition last = new CellPosition(row, in.sized(), in.sized(), in.i64(), in.u8());
            ResumePoint point = new ResumePoint(row, Optional.of(last), Math.toIntExact(in.varint()));
            in.end();
            return point;
        } catch (StoreException | ArithmeticException e) {
            throw new CellException(CellError.BAD_REQUEST, "Not a resume token", Map.of(), e);
        }
    }
}
