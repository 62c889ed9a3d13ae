package io.polytable.hbase.wire;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Validates decoded cells: a length that exceeds the cell or the block is the client's error. After it no cell can be
 * assigned to its mutation, so every further call fails too.
 */
final class CheckedCells implements CellScanner {
    private final CellScanner cells;
    private @Nullable DoNotRetryIOException damage;

    CheckedCells(CellScanner cells) {
        this.cells = cells;
    }

    @Override
    public Cell current() {
        return cells.current();
    }

    @Override
    public boolean advance() throws IOException {
        DoNotRetryIOException before = damage;
        if (before != null) {
            throw before;
        }
        try {
            boolean there = cells.advance();
            if (there && !isSound(cells.current())) {
                throw damaged("A cell's lengths contradict each other");
            }
            return there;
        } catch (DoNotRetryIOException refused) {
            throw refused;
        } catch (IOException | RuntimeException failed) {
            throw damaged("The cell block is damaged: " + failed);
        }
    }

    private DoNotRetryIOException damaged(String text) {
        DoNotRetryIOException found = new DoNotRetryIOException(text);
        damage = found;
        return found;
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
