package io.polytable.entity.cassandra.scan;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.Futures;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.table.Bytes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A scan: keys in index order or in token order, with their rows read in parallel. */
public final class KeyCursor implements RowCursor {
    private static final Bytes ZERO = Bytes.of(new byte[] {0});
    private static final int PARTITIONS_MAX = 10_000;
    private static final int INDEXED_COLUMNS_MAX = 10;
    private static final int KEYS_MIN = 100;
    private static final int KEYS_MAX = 5000;

    private final StoredTable table;
    private final Cluster cluster;
    private final Map<String, GroupCells> groups;
    private final Optional<KeyIndex> index;
    private final ScanQuery query;
    private final EntityRange range;
    private final Tokens wanted;
    private @Nullable Iterator<Bytes> keys;

    public KeyCursor(
            StoredTable table,
            Cluster cluster,
            Map<String, GroupCells> groups,
            Optional<KeyIndex> index,
            ScanQuery query) {
        this.table = table;
        this.cluster = cluster;
        this.groups = groups;
        this.index = index;
        this.query = query;
        EntityRange part = query.partition().map(Partition::range).orElse(EntityRange.ALL);
        range = query.range().intersection(part);
        wanted = index.isPresent() ? Tokens.ALL : Tokens.of(query.partition());
    }

    /** Opened by the first call, which determines the fetch size. */
    private Iterator<Bytes> keys(int rows) {
        int page = Math.min(Math.max(rows, KEYS_MIN), KEYS_MAX);
        EntityRange left = behind(range, query.after());
        return index.isPresent()
                ? index.get().keys(left, page)
                : byColumn(left, page).orElseGet(() -> tokens(page));
    }

    /** Whether the request has only named columns whose groups have an index by column. */
    private Optional<Iterator<Bytes>> byColumn(EntityRange left, int page) {
        List<Iterator<Bytes>> columns = new ArrayList<>();
        for (ColumnQuery column : query.query().columns()) {
            GroupCells cells = groups.get(column.groupId());
            if (cells == null || cells.byColumn().isEmpty() || query.partition().isPresent()) {
                return Optional.empty();
            }
            boolean areFew = column.qualifiers().isPresent()
                    && columns.size() + column.qualifiers().get().size() <= INDEXED_COLUMNS_MAX;
            if (!areFew) {
                return Optional.empty();
            }
            for (String name : column.qualifiers().get()) {
                columns.add(cells.byColumn().get().keys(column.familyId(), name, left, page));
            }
        }
        return columns.isEmpty() ? Optional.empty() : Optional.of(new MergedKeys(columns));
    }

    private static EntityRange behind(EntityRange range, Optional<Bytes> after) {
        return after.map(key -> range.intersection(new EntityRange(key.concat(ZERO), Bytes.EMPTY)))
                .orElse(range);
    }

    private Iterator<Bytes> tokens(int page) {
        Set<PreparedStatement> tables = new LinkedHashSet<>();
        query.query().columns().forEach(column -> {
            GroupCells cells = groups.get(column.groupId());
            if (cells != null) {
                tables.add(cells.reads().keys);
            }
        });
        long first = wanted.after();
        if (query.after().isPresent()) {
            first = Math.max(first, tokenOf(cluster, query.after().get()));
        }
        return new TokenKeys(cluster, List.copyOf(tables), new Tokens(first, wanted.last()), page);
    }

    private static long tokenOf(Cluster cluster, Bytes key) {
        Token token = cluster.session()
                .getMetadata()
                .getTokenMap()
                .orElseThrow(() -> new EntityException(EntityError.STORE_FAILED, "The cluster's tokens are not known"))
                .newToken(Blobs.of(key));
        return Long.parseLong(
                cluster.session().getMetadata().getTokenMap().orElseThrow().format(token));
    }

    @Override
    public List<StoredRow> next(int rows) {
        Iterator<Bytes> left = keys;
        if (left == null) {
            left = keys(rows);
            keys = left;
        }
        List<StoredRow> found = new ArrayList<>();
        while (found.size() < rows && left.hasNext()) {
            List<Bytes> batch = new ArrayList<>();
            while (batch.size() < rows - found.size() && left.hasNext()) {
                Bytes key = left.next();
                if (range.contains(key)) {
                    batch.add(key);
                }
            }
            for (StoredRow row : Futures.join(table.getAll(batch, query.query()))) {
                if (!row.cells().isEmpty()) {
                    found.add(row);
                }
            }
        }
        return found;
    }

    /** Ranges of first bytes where keys are in order, ranges of tokens elsewhere. */
    public static List<Partition> partitions(boolean ordered, int wanted) {
        if (wanted < 1 || wanted > PARTITIONS_MAX) {
            throw new EntityException(EntityError.BAD_REQUEST, "Not a number of partitions", Map.of("wanted", wanted));
        }
        List<Partition> partitions = new ArrayList<>();
        if (ordered) {
            int count = Math.min(wanted, 256);
            for (int i = 0; i < count; i++) {
                partitions.add(new Partition(new EntityRange(split(i, count), split(i + 1, count)), ""));
            }
            return partitions;
        }
        BigInteger all = BigInteger.ONE.shiftLeft(Long.SIZE);
        for (int i = 0; i < wanted; i++) {
            Tokens tokens = new Tokens(token(all, i, wanted), token(all, i + 1, wanted));
            partitions.add(new Partition(EntityRange.ALL, tokens.text()));
        }
        return partitions;
    }

    private static Bytes split(int number, int count) {
        int at = 256 * number / count;
        return number == 0 || number == count ? Bytes.EMPTY : Bytes.of(new byte[] {(byte) at});
    }

    private static long token(BigInteger all, int number, int count) {
        if (number == count) {
            return Long.MAX_VALUE;
        }
        return all.multiply(BigInteger.valueOf(number))
                .divide(BigInteger.valueOf(count))
                .add(BigInteger.valueOf(Long.MIN_VALUE))
                .longValue();
    }

    @Override
    public void close() {}
}
