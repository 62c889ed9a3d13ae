package io.polytable.entity.cassandra.group;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.store.CellPlace;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;

/** The statements of a query on a row, executed one after the other until it has enough cells. */
final class CellSelects {
    private final GroupCells group;
    private final ReadStatements reads;
    private final Bytes rowKey;
    private final ConsistencyLevel level;

    CellSelects(GroupCells group, Bytes rowKey, ConsistencyLevel level) {
        this.group = group;
        reads = group.reads();
        this.rowKey = rowKey;
        this.level = level;
    }

    List<BoundStatement> of(ColumnQuery query) {
        if (query.after().isPresent() && countsNoVersions(query)) {
            return behind(query, query.after().get());
        }
        boolean newest = query.maxVersions() == 1
                && query.times().equals(CellTimes.ALL)
                && query.after().isEmpty();
        if (query.qualifiers().isPresent() && query.qualifiers().get().size() == 1) {
            return List.of(bound(newest ? reads.newestOfColumn : reads.column, query)
                    .setString("qualifier", query.qualifiers().get().first())
                    .build());
        }
        if (query.qualifiers().isPresent()) {
            PreparedStatement columns = newest ? reads.newestOfColumns : reads.columns;
            return List.of(columns(columns, query, query.qualifiers().get()));
        }
        if (query.after().isPresent()) {
            return List.of(bound(reads.familyFrom, query)
                    .setString("start", query.after().get().qualifier())
                    .build());
        }
        return List.of(
                bound(newest ? reads.newestOfFamily : reads.family, query).build());
    }

    /** Whether a page can start in the middle of a column; otherwise earlier versions must be counted. */
    private boolean countsNoVersions(ColumnQuery query) {
        return !group.isSingle()
                && query.maxVersions() == Integer.MAX_VALUE
                && group.group().maxVersions() == LocalityGroup.ALL_VERSIONS;
    }

    /** The rest of the column in which the last page ended, then the columns after it. */
    private List<BoundStatement> behind(ColumnQuery query, CellPlace place) {
        List<BoundStatement> selects = new ArrayList<>();
        selects.add(bound(reads.older, query)
                .setString("qualifier", place.qualifier())
                .setLong("time", place.timestamp())
                .build());
        if (query.qualifiers().isEmpty()) {
            selects.add(bound(reads.familyBehind, query)
                    .setString("start", place.qualifier())
                    .build());
            return selects;
        }
        NavigableSet<String> rest = query.qualifiers().get().tailSet(place.qualifier(), false);
        if (!rest.isEmpty()) {
            selects.add(columns(reads.columns, query, rest));
        }
        return selects;
    }

    private BoundStatement columns(PreparedStatement statement, ColumnQuery query, NavigableSet<String> names) {
        return bound(statement, query)
                .setList("qualifiers", List.copyOf(names), String.class)
                .build();
    }

    /** A builder, since each change of a statement copies it. */
    private BoundStatementBuilder bound(PreparedStatement statement, ColumnQuery query) {
        // A page of cells needs no larger fetch size; surplus versions are fetched as well.
        int fetched = query.limit() < 1000 ? Math.max(10, query.limit() * 2) : 5000;
        return statement
                .boundStatementBuilder()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", query.familyId())
                .setPageSize(fetched)
                .setIdempotence(true)
                .setConsistencyLevel(level);
    }
}
