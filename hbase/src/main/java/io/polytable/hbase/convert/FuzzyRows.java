package io.polytable.hbase.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.util.Pair;

/**
 * HBase's filter on patterns of row keys, for scans from the last row to the first. Asked backwards for the next row that
 * can match, HBase's class may look for it in an endless loop: here it is not asked. Each row is then looked at, which
 * finds the same rows, only not as fast.
 */
final class FuzzyRows extends FuzzyRowFilter {
    private FuzzyRows(List<Pair<byte[], byte[]>> patterns) {
        super(patterns);
    }

    /** The filter with such ones in place of HBase's, at any depth. */
    static Filter reversible(Filter filter) throws IOException {
        if (filter instanceof FuzzyRowFilter fuzzy) {
            return new FuzzyRows(patterns(fuzzy));
        }
        if (filter instanceof FilterList list) {
            List<Filter> parts = new ArrayList<>();
            for (Filter part : list.getFilters()) {
                parts.add(reversible(part));
            }
            return new FilterList(list.getOperator(), parts);
        }
        if (filter instanceof SkipFilter skip) {
            return new SkipFilter(reversible(skip.getFilter()));
        }
        return filter instanceof WhileMatchFilter whileMatch
                ? new WhileMatchFilter(reversible(whileMatch.getFilter()))
                : filter;
    }

    private static List<Pair<byte[], byte[]>> patterns(FuzzyRowFilter filter) throws IOException {
        List<Pair<byte[], byte[]>> patterns = new ArrayList<>();
        for (BytesBytesPair pair :
                FilterProtos.FuzzyRowFilter.parseFrom(filter.toByteArray()).getFuzzyKeysDataList()) {
            patterns.add(
                    new Pair<>(pair.getFirst().toByteArray(), pair.getSecond().toByteArray()));
        }
        return patterns;
    }

    /** Whether a cell matches depends on its row alone: instead of a place to go to, the next row. */
    @Override
    public ReturnCode filterCell(Cell cell) {
        ReturnCode code = super.filterCell(cell);
        return code == ReturnCode.SEEK_NEXT_USING_HINT ? ReturnCode.NEXT_ROW : code;
    }
}
