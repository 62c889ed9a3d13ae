package io.polytable.entity.remote;

import io.polytable.entity.session.Futures;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.wire.QueryCodec;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A paged scan. From the second page on, the next page is prefetched while the program processes the current one: many
 * scans need only the first rows. The server holds no state between pages, so an idle scan costs nothing.
 */
final class RemoteCursor implements RowCursor {
    private static final int FIRST_ROWS = 50;

    private record Page(List<StoredRow> rows, boolean hasMore) {}

    private final RemoteTable table;
    private final ScanQuery query;
    private final Deque<StoredRow> fetched = new ArrayDeque<>();
    private Optional<Bytes> after;
    private @Nullable CompletableFuture<Page> ahead;
    private boolean hasMore = true;
    private int pages;

    /** Fetches the first rows at once, while the caller can still switch to another layout. */
    RemoteCursor(RemoteTable table, ScanQuery query) {
        this.table = table;
        this.query = query;
        after = query.after();
        take(Futures.join(fetch(FIRST_ROWS)), FIRST_ROWS);
    }

    private CompletableFuture<Page> fetch(int rows) {
        ScanQuery rest = new ScanQuery(query.range(), query.partition(), query.query(), after);
        return table.call(StoreCall.SCAN, words -> {
                    words.i32(rows).u8(pages == 0 ? 0 : 1);
                    QueryCodec.write(words, rest);
                })
                .thenApply(in -> {
                    boolean more = in.u8() == 1;
                    return new Page(RemoteTable.rows(in, in.count()), more);
                });
    }

    @Override
    public List<StoredRow> next(int rows) {
        if (fetched.isEmpty() && hasMore) {
            CompletableFuture<Page> coming = ahead == null ? fetch(rows) : ahead;
            ahead = null;
            take(Futures.join(coming), rows);
        }
        return taken(rows);
    }

    private void take(Page page, int rows) {
        pages++;
        fetched.addAll(page.rows());
        hasMore = page.hasMore() && !page.rows().isEmpty();
        if (!page.rows().isEmpty()) {
            after = Optional.of(page.rows().get(page.rows().size() - 1).rowKey());
        }
        if (hasMore && pages > 1) {
            ahead = fetch(rows);
        }
    }

    private List<StoredRow> taken(int rows) {
        List<StoredRow> answer = new ArrayList<>();
        while (answer.size() < rows && !fetched.isEmpty()) {
            answer.add(fetched.remove());
        }
        return answer;
    }

    @Override
    public CompletableFuture<List<StoredRow>> nextAsync(int rows) {
        if (!fetched.isEmpty() || !hasMore) {
            return CompletableFuture.completedFuture(taken(rows));
        }
        CompletableFuture<Page> coming = ahead == null ? fetch(rows) : ahead;
        ahead = null;
        return coming.thenApply(page -> {
            take(page, rows);
            return taken(rows);
        });
    }

    @Override
    public void close() {
        hasMore = false;
        fetched.clear();
    }
}
