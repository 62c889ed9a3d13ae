package io.polytable.hbase.convert;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.PrefixFilter;

/**
 * HBase's filter on row key prefixes, made safe for short rows. HBase's class always compares as many bytes as the
 * prefix has: for a shorter row it reads beyond the row, or fails at the array's end.
 */
final class SafePrefixFilter extends PrefixFilter {
    private boolean isShorter;
    private boolean isBeyond;
    private boolean isAhead;

    SafePrefixFilter(PrefixFilter filter) {
        super(filter.getPrefix());
    }

    @Override
    public boolean filterRowKey(Cell first) {
        isShorter = !filterAllRemaining() && first.getRowLength() < getPrefix().length;
        if (!isShorter) {
            return super.filterRowKey(first);
        }
        int from = first.getRowOffset();
        int order = Arrays.compareUnsigned(
                first.getRowArray(), from, from + first.getRowLength(), getPrefix(), 0, getPrefix().length);
        isAhead = isReversed() ? order > 0 : order < 0;
        isBeyond = !isAhead;
        return isBeyond;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
        if (!isShorter) {
            return super.filterCell(cell);
        }
        return isAhead ? ReturnCode.SEEK_NEXT_USING_HINT : ReturnCode.NEXT_ROW;
    }

    @Override
    public boolean filterRow() {
        return isShorter || super.filterRow();
    }

    @Override
    public boolean filterAllRemaining() {
        return isBeyond || super.filterAllRemaining();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
