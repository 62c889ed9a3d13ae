package io.polytable.entity.embedded;

import io.polytable.cells.CellFilter;
import io.polytable.cells.CellScanner;
import io.polytable.cells.CellTable;
import io.polytable.cells.FilterAnswer;
import io.polytable.cells.RowRange;
import io.polytable.cells.ScanRequest;
import io.polytable.cells.ScanStep;
import io.polytable.cells.Selection;
import io.polytable.cells.StepLimit;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.Partition;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cuts a table's keys into ranges: evenly between its first and its last key, which is even where keys are hashed. */
final class KeySplits {
    private static final int PARTITIONS_MAX = 10_000;

    /** The first cell of each row is enough. */
    private static final class FirstCell implements CellFilter {
        @Override
        public FilterAnswer filter(io.polytable.cells.Cell cell) {
            return FilterAnswer.INCLUDE_AND_NEXT_ROW;
        }
    }

    private KeySplits() {}

    static List<Partition> of(CellTable table, int wanted) {
        if (wanted < 1 || wanted > PARTITIONS_MAX) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a number of partitions", Map.of("wanted", wanted));
        }
        Optional<Bytes> first = end(table, false);
        Optional<Bytes> last = end(table, true);
        List<Partition> partitions = new ArrayList<>();
        Bytes from = Bytes.EMPTY;
        if (first.isPresent() && last.isPresent()) {
            for (Bytes split : between(first.get(), last.get(), wanted)) {
                partitions.add(new Partition(new EntityRange(from, split), ""));
                from = split;
            }
        }
        partitions.add(new Partition(new EntityRange(from, Bytes.EMPTY), ""));
        return partitions;
    }

    private static Optional<Bytes> end(CellTable table, boolean reversed) {
        ScanRequest request = ScanRequest.of(RowRange.ALL, Selection.ALL.withFilter(new FirstCell()))
                .withRowLimit(1);
        try (CellScanner scanner = table.scan(reversed ? request.inReverse() : request)) {
            while (true) {
                ScanStep step = scanner.next(StepLimit.of(1, 1 << 20));
                if (!step.rows().isEmpty() || !step.hasMore()) {
                    return step.rows().stream().findFirst().map(row -> row.row());
                }
            }
        }
    }

    private static List<Bytes> between(Bytes first, Bytes last, int wanted) {
        int common = 0;
        while (common < first.length() && common < last.length() && first.at(common) == last.at(common)) {
            common++;
        }
        // 48 bits behind the common start: products with the number of partitions fit a long.
        long low = number(first, common);
        long high = number(last, common);
        List<Bytes> splits = new ArrayList<>();
        long previous = low;
        for (int i = 1; i < wanted; i++) {
            long at = low + (high - low) * i / wanted;
            if (at > previous) {
                Bytes tail = new BytesWriter().i64(at << Short.SIZE).toBytes().slice(0, 6);
                splits.add(last.slice(0, common).concat(tail));
                previous = at;
            }
        }
        return splits;
    }

    private static long number(Bytes key, int from) {
        long value = 0;
        for (int i = from; i < from + 6; i++) {
            value = value << Byte.SIZE | (i < key.length() ? key.at(i) & 0xff : 0);
        }
        return value;
    }
}
