package io.polytable.entity.embedded;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.SharedStores;
import io.polytable.entity.store.StoreProvider;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.DurabilityMode;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Opens stores in directories. A directory belongs to one process at a time. All users in this process share one store,
 * which is closed when the last of them closes it.
 *
 * <p>The URI's option {@code durability} is {@code always}, {@code everysec} (the default) or {@code os}. It is the
 * same for all users of a directory: another value than that of the open store is refused.
 */
public final class EmbeddedProvider implements StoreProvider {
    private static final String DURABILITY = "durability";
    private static final long MEMORY_BYTES = 64L << 20;
    private static final SharedStores OPEN = new SharedStores();

    @Override
    public StoreKind kind() {
        return StoreKind.EMBEDDED;
    }

    @Override
    public EntityStore open(EntityUri uri) {
        Path directory = uri.directory().orElseThrow().toAbsolutePath().normalize();
        DurabilityMode durability = durability(uri);
        return OPEN.open(
                directory.toString(),
                DURABILITY + "=" + durability,
                !uri.options().containsKey(DURABILITY),
                () -> Failures.translated(() -> opened(directory, durability)));
    }

    private static EntityStore opened(Path directory, DurabilityMode durability) {
        EngineOptions options =
                EngineOptions.DEFAULT.withMemory(MEMORY_BYTES, MEMORY_BYTES).withDurability(durability);
        TableStore tables = EmbeddedStore.open(directory, options, FileLogOptions.defaults());
        CellStore cells;
        try {
            cells = CellStore.open(tables, CellStoreOptions.DEFAULT);
        } catch (RuntimeException e) {
            tables.close();
            throw e;
        }
        return new CellsEntityStore(cells, () -> {
            cells.close();
            tables.close();
        });
    }

    private static DurabilityMode durability(EntityUri uri) {
        String wanted = uri.options().getOrDefault(DURABILITY, "everysec");
        for (DurabilityMode mode : DurabilityMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(wanted)) {
                return mode;
            }
        }
        throw new EntityException(EntityError.BAD_URI, "Not a durability", Map.of(DURABILITY, wanted));
    }
}
