package io.polytable.sql.tier;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chains the segments of all users, one user after the other: scopes sort like the keys, which begin with the user. */
final class ScopeChain implements ColdMerge.Source {
    private final ColdFiles files;
    private final SqlTable table;
    private final Manifests.Walk scopes;
    private final List<KeyRange> ranges;
    private @Nullable ColdMerge scope;
    private long order;

    /** @param ranges sorted key ranges */
    ScopeChain(ColdFiles files, SqlTable table, Manifests manifests, Reader reader, List<KeyRange> ranges) {
        this.files = files;
        this.table = table;
        this.ranges = ranges;
        Bytes from = ranges.get(0).from();
        scopes = manifests.walk(reader, table.table().id(), from.isEmpty() ? "" : table.userOf(from));
    }

    @Override
    public Bytes bound() {
        return Bytes.EMPTY;
    }

    @Override
    public @Nullable StoredRow next() {
        while (true) {
            ColdMerge current = scope;
            if (current == null) {
                if (!scopes.next()) {
                    return null;
                }
                Manifest manifest = scopes.manifest();
                if (manifest.scope().isEmpty()) {
                    continue;
                }
                current = files.merged(table, manifest.segments(), ranges, Direction.FORWARD, false);
                scope = current;
            }
            if (current.next()) {
                order = current.order();
                return current.row();
            }
            current.close();
            scope = null;
        }
    }

    @Override
    public long order() {
        return order;
    }

    @Override
    public void close() {
        if (scope != null) {
            scope.close();
        }
        scopes.close();
    }
}
