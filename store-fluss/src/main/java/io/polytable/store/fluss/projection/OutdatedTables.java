package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.TablesChangedException;
import io.polytable.frontend.view.View;
import io.polytable.store.fluss.FlussCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.metadata.TablePath;

/**
 * Drops tables of a projection that are no longer shown, or were replaced. A table is identified by its incarnation, a
 * property that only this package writes; tables without one belong to others and stay.
 */
final class OutdatedTables {
    private final FlussCluster cluster;
    private final String prefix;
    private final RowRefresher.Fence fence;

    /** @param name the projection's name, the prefix of its tables' names */
    OutdatedTables(FlussCluster cluster, String name, RowRefresher.Fence fence) {
        this.cluster = cluster;
        this.fence = fence;
        prefix = name + "_";
    }

    /** @throws TablesChangedException if any were dropped: a connection that knew them must not be used for new ones */
    void drop(List<View> wanted) {
        Map<String, String> incarnations = new HashMap<>();
        wanted.forEach(view -> incarnations.put(view.name().name(), view.incarnation()));
        int dropped = 0;
        for (String name : cluster.await(admin().listTables(cluster.settings().database()))) {
            if (name.startsWith(prefix) && isOutdated(name, incarnations)) {
                fence.check();
                cluster.await(admin().dropTable(cluster.path(name), true));
                dropped++;
            }
        }
        if (dropped > 0) {
            throw new TablesChangedException(dropped + " tables were dropped");
        }
    }

    private boolean isOutdated(String name, Map<String, String> incarnations) {
        return incarnation(cluster.path(name))
                .filter(incarnation -> !incarnation.equals(incarnations.get(name)))
                .isPresent();
    }

    private Optional<String> incarnation(TablePath path) {
        return Optional.ofNullable(cluster.await(admin().getTableInfo(path))
                .getCustomProperties()
                .toMap()
                .get(ShownTarget.INCARNATION));
    }

    private Admin admin() {
        return cluster.connection().getAdmin();
    }
}
