package io.polytable.store.fluss.projection;

import io.polytable.store.engine.Opening;
import io.polytable.store.group.PositionVector;
import io.polytable.table.Position;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.feed.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The change feeds of all groups, split at the ends of windows. Groups are processed in order: a projection keeps what
 * concerns all its tables in the first, and so sees that before anything else of the window.
 */
final class WindowFeeds implements AutoCloseable {
    private final List<WindowFeed> groups = new ArrayList<>();

    private WindowFeeds() {}

    static WindowFeeds open(TableStore store, Set<Table> sources, Position from) {
        Map<Integer, Set<Table>> byGroup = sources.stream()
                .collect(Collectors.groupingBy(table -> store.group(table.name()), TreeMap::new, Collectors.toSet()));
        WindowFeeds feeds = new WindowFeeds();
        try {
            byGroup.forEach((group, tables) -> feeds.groups.add(new WindowFeed(group, store.changes(tables, from))));
            return feeds;
        } catch (RuntimeException e) {
            feeds.close();
            throw e;
        }
    }

    /** The next changes up to the position, which is durable; empty at the end. */
    List<Change> chunk(PositionVector upTo) {
        for (WindowFeed group : groups) {
            List<Change> chunk = group.chunk(upTo);
            if (!chunk.isEmpty()) {
                return chunk;
            }
        }
        return List.of();
    }

    @Override
    public void close() {
        Opening.closeAll(groups.stream().map(group -> group::close));
    }
}
