package io.polytable.hbase.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.util.Pair;

/**
 * HBase's filter on patterns of row keys, for reverse scans. HBase's class may loop endlessly when asked for a hint in
 * reverse, so this one gives no hints. The scan then tests each row, which is slower but finds the same rows.
 */
final class ReverseFuzzyRowFilter extends FuzzyRowFilter {
    private ReverseFuzzyRowFilter(List<Pair<byte[], byte[]>> patterns) {
        super(patterns);
    }

    static ReverseFuzzyRowFilter of(FuzzyRowFilter filter) throws IOException {
        return new ReverseFuzzyRowFilter(patterns(filter));
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

    /** Whether a cell matches depends on its row alone, so it goes to the next row instead of a hint. */
    @Override
    public ReturnCode filterCell(Cell cell) {
        ReturnCode code = super.filterCell(cell);
        return code == ReturnCode.SEEK_NEXT_USING_HINT ? ReturnCode.NEXT_ROW : code;
    }
}
