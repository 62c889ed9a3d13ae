package io.polytable.store.fluss;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Finds the last row that a former owner wrote before the claim, in as many lookups as its number has digits. */
final class SpanEnd {
    private static final int NEAR = 64;
    private static final long FAR = 1L << 30;

    private final LogTable table;
    private final long claimOffset;

    SpanEnd(LogTable table, long claimOffset) {
        this.table = table;
        this.claimOffset = claimOffset;
    }

    /** The span with all its rows; a group of which only some rows are there is not in it. */
    Span of(Span span) {
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

    /** Where one row is missing and others are behind it, the log has not ended there: it was damaged. */
    private void requireNothingBehind(Span span, long absent) {
        LongStream near = LongStream.rangeClosed(1, NEAR);
        LongStream far = LongStream.iterate(2L * NEAR, distance -> distance < FAR, distance -> 2 * distance);
        List<CompletableFuture<Optional<LogRow>>> rows = LongStream.concat(near, far)
                .mapToObj(distance -> table.lookup(span.key(absent + distance)))
                .toList();
        for (CompletableFuture<Optional<LogRow>> row : rows) {
            if (table.cluster().await(row).filter(this::isBeforeClaim).isPresent()) {
                throw FlussFault.missing(span.key(absent));
            }
        }
    }

    private boolean isBeforeClaim(LogRow row) {
        return row.offset() < claimOffset;
    }

    private boolean isThere(Span span, long seq) {
        return row(span, seq).isPresent();
    }

    private Optional<LogRow> row(Span span, long seq) {
        return table.read(span.key(seq)).filter(this::isBeforeClaim);
    }

    private Span wholeGroups(Span span, long lastSeq) {
        for (long seq = lastSeq; seq >= span.firstSeq(); seq--) {
            LogKey key = span.key(seq);
            LogRow row = row(span, seq).orElseThrow(() -> FlussFault.missing(key));
            if (row.more() == 0) {
                return span.upTo(row);
            }
        }
        return span;
    }
}
