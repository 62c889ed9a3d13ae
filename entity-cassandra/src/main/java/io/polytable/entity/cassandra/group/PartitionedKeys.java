package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.key.EntityRange;
import io.polytable.table.Bytes;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.IntFunction;

/** Keys in order, from a table with one partition per first byte; read on demand. */
public final class PartitionedKeys implements Iterator<Bytes> {
    static final int PART_MAX = 255;

    private final Cluster cluster;
    private final Iterator<Integer> parts;
    private final IntFunction<BoundStatement> select;
    private Iterator<Row> rows = Collections.emptyIterator();

    /** @param select the keys of a part, in order */
    public PartitionedKeys(Cluster cluster, Iterator<Integer> parts, IntFunction<BoundStatement> select) {
        this.cluster = cluster;
        this.parts = parts;
        this.select = select;
    }

    public static int part(Bytes key) {
        return key.isEmpty() ? 0 : key.at(0) & 0xff;
    }

    public static int first(EntityRange range) {
        return part(range.from());
    }

    public static int last(EntityRange range) {
        return range.to().isEmpty() ? PART_MAX : part(range.to());
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext() && parts.hasNext()) {
            rows = cluster.execute(select.apply(parts.next()).setIdempotent(true))
                    .iterator();
        }
        return rows.hasNext();
    }

    @Override
    public Bytes next() {
        return Blobs.bytes(rows.next().getByteBuffer(0));
    }
}
