package io.polytable.store.fluss.ownership;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Finds the last row that a former owner wrote before the claim, with a logarithmic number of reads. */
final class SpanEndSearch {
    private static final int NEAR = 64;
    private static final long FAR = 1L << 30;

    private final LogRows rows;
    private final long claimOffset;

    SpanEndSearch(LogRows rows, long claimOffset) {
        this.rows = rows;
        this.claimOffset = claimOffset;
    }

    /** The span with all its rows, without an incomplete group at the end. */
    RowSpan complete(RowSpan span) {
        long present = span.firstSeq() - 1;
        long step = 1;
        while (isThere(span, present + step)) {
            present += step;
            step *= 2;
        }
        long absent = present + step;
        while (absent - present > 1) {
            long middle = present + (absent - present) / 2;
            if (isThere(span, middle)) {
                present = middle;
            } else {
                absent = middle;
            }
        }
        requireNothingBehind(span, absent);
        return wholeGroups(span, present);
    }

    /** If a row is missing and others follow it, the log does not end there: it is damaged. */
    private void requireNothingBehind(RowSpan span, long absent) {
        LongStream near = LongStream.rangeClosed(1, NEAR);
        LongStream far = LongStream.iterate(2L * NEAR, distance -> distance < FAR, distance -> 2 * distance);
        List<LogKey> behind = LongStream.concat(near, far)
                .mapToObj(distance -> span.key(absent + distance))
                .toList();
        if (rows.readAll(behind).stream()
                .anyMatch(row -> row.filter(this::isBeforeClaim).isPresent())) {
            throw OwnershipFault.missing(span.key(absent));
        }
    }

    private boolean isBeforeClaim(LogRow row) {
        return row.offset() < claimOffset;
    }

    private boolean isThere(RowSpan span, long seq) {
        return row(span, seq).isPresent();
    }

    private Optional<LogRow> row(RowSpan span, long seq) {
        return rows.read(span.key(seq)).filter(this::isBeforeClaim);
    }

    private RowSpan wholeGroups(RowSpan span, long lastSeq) {
        for (long seq = lastSeq; seq >= span.firstSeq(); seq--) {
            LogKey key = span.key(seq);
            LogRow row = row(span, seq).orElseThrow(() -> OwnershipFault.missing(key));
            if (row.more() == 0) {
                return span.upTo(row);
            }
        }
        return span;
    }
}
