package io.polytable.entity.embedded;

import io.polytable.cells.CellStore;
import io.polytable.cells.tables.CellStoreOptions;
import io.polytable.cells.tables.TableCellStore;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Opens stores in directories. A directory belongs to one process at a time; all who open it here share one store, which is
 * closed when the last of them closes it.
 *
 * <p>The URI's option {@code durability} is {@code always}, {@code everysec} (the default) or {@code os}.
 */
public final class EmbeddedProvider implements StoreProvider {
    private static final long MEMORY_BYTES = 64L << 20;
    private static final Map<Path, Shared> OPEN = new HashMap<>();

    private static final class Shared {
        private final TableStore tables;
        private final CellStore cells;
        private final CellsEntityStore store;
        private int users = 1;

        Shared(TableStore tables, Runnable closing) {
            this.tables = tables;
            cells = TableCellStore.open(tables, CellStoreOptions.DEFAULT);
            store = new CellsEntityStore(cells, closing);
        }
    }

    @Override
    public StoreKind kind() {
        return StoreKind.EMBEDDED;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        Path directory = uri.directory().orElseThrow().toAbsolutePath().normalize();
        synchronized (OPEN) {
            Shared shared = OPEN.get(directory);
            if (shared == null) {
                shared = Failures.translated(() -> opened(directory, uri));
                OPEN.put(directory, shared);
            } else {
                shared.users++;
            }
            return new SharedStore(shared.store, () -> release(directory));
        }
    }

    private static Shared opened(Path directory, EntityUri uri) {
        EngineOptions options =
                EngineOptions.DEFAULT.withMemory(MEMORY_BYTES, MEMORY_BYTES).withDurability(durability(uri));
        return new Shared(EmbeddedStore.open(directory, options, FileLogOptions.defaults()), () -> {});
    }

    private static DurabilityMode durability(EntityUri uri) {
        String wanted = uri.options().getOrDefault("durability", "everysec");
        for (DurabilityMode mode : DurabilityMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(wanted)) {
                return mode;
            }
        }
        throw new EntityException(EntityError.BAD_URI, "Not a durability", Map.of("durability", wanted));
    }

    private static void release(Path directory) {
        synchronized (OPEN) {
            Shared shared = OPEN.get(directory);
            if (shared != null && --shared.users == 0) {
                OPEN.remove(directory);
                shared.cells.close();
                shared.tables.close();
            }
        }
    }
}
