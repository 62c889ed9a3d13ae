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
 * HBase's filter on patterns of row keys, for scans from the last row to the first. Asked backwards for the next row that
 * can match, HBase's class may look for it in an endless loop: here it is not asked. Each row is then looked at, which
 * finds the same rows, only not as fast.
 */
final class FuzzyRows extends FuzzyRowFilter {
    private FuzzyRows(List<Pair<byte[], byte[]>> patterns) {
        super(patterns);
    }

    static FuzzyRows of(FuzzyRowFilter filter) throws IOException {
        return new FuzzyRows(patterns(filter));
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
