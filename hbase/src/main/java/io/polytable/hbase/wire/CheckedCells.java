package io.polytable.hbase.wire;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;

/** Cells from a network: a length that leads outside of the cell, or of the block, is the client's mistake. */
final class CheckedCells implements CellScanner {
    private final CellScanner cells;

    CheckedCells(CellScanner cells) {
        this.cells = cells;
    }

    @Override
    public Cell current() {
        return cells.current();
    }

    @Override
    public boolean advance() throws IOException {
        try {
            boolean there = cells.advance();
            if (there && !isSound(cells.current())) {
                throw new DoNotRetryIOException("A cell's lengths contradict each other");
            }
            return there;
        } catch (DoNotRetryIOException refused) {
            throw refused;
        } catch (IOException | RuntimeException damaged) {
            throw new DoNotRetryIOException("The cell block is damaged: " + damaged);
        }
    }

    private static boolean isSound(Cell cell) {
        if (!(cell instanceof KeyValue keyValue)) {
            return cell.getRowLength() >= 0 && cell.getValueLength() >= 0;
        }
        int end = keyValue.getOffset() + keyValue.getLength();
        int key = keyValue.getKeyLength();
        int row = keyValue.getRowLength();
        int family = keyValue.getFamilyLength();
        boolean positive = key > 0 && row > 0 && family >= 0 && keyValue.getValueLength() >= 0;
        return positive
                && keyValue.getQualifierLength() >= 0
                && (long) keyValue.getValueOffset() + keyValue.getValueLength() <= end;
    }
}
