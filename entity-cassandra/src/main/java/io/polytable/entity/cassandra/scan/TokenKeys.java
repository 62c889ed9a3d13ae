package io.polytable.entity.cassandra.scan;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.table.Bytes;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The keys of several tables, without duplicates, in token order. */
final class TokenKeys implements Iterator<Bytes> {
    /** A key, its token, and the iterator of its table's further keys. */
    private record Head(long token, Bytes key, Iterator<Row> rest) {}

    private static final Comparator<Head> ORDER =
            Comparator.comparingLong(Head::token).thenComparing(Head::key);

    private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
    private @Nullable Bytes last;

    TokenKeys(Cluster cluster, List<PreparedStatement> tables, Tokens tokens, int page) {
        for (PreparedStatement table : tables) {
            push(cluster.execute(table.bind(tokens.after(), tokens.last())
                            .setPageSize(page)
                            .setIdempotent(true))
                    .iterator());
        }
    }

    private void push(Iterator<Row> rows) {
        if (rows.hasNext()) {
            Row row = rows.next();
            heads.add(new Head(row.getLong(1), Blobs.bytes(row.getByteBuffer(0)), rows));
        }
    }

    @Override
    public boolean hasNext() {
        while (!heads.isEmpty() && Objects.equals(heads.element().key(), last)) {
            push(heads.remove().rest());
        }
        return !heads.isEmpty();
    }

    @Override
    public Bytes next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Head head = heads.remove();
        push(head.rest());
        last = head.key();
        return head.key();
    }
}
