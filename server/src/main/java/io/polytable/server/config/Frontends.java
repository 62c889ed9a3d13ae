package io.polytable.server.config;

import io.polytable.cells.store.SharedCells;
import io.polytable.entity.embedded.EntityOpener;
import io.polytable.entity.embedded.view.EntityViews;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.setting.Settings;
import io.polytable.hbase.HBaseOpener;
import io.polytable.redis.RedisOpener;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.sql.SqlOpener;
import java.util.List;

/** The protocols of this server. */
public final class Frontends {
    private Frontends() {}

    /** Openers for one server: those of a call share what protocols have in common. */
    public static List<FrontendOpener> all() {
        SharedCells cells = new SharedCells();
        return List.of(
                redis(),
                new HBaseOpener(
                        cells,
                        store -> new EntityViews(store)::all,
                        settings -> settings.get(ServerSettings.NETWORK_TRUSTED)),
                new SqlOpener(settings -> settings.get(StoreSettings.RETENTION_TIME)),
                new EntityOpener(cells));
    }

    /** The first of them, which also says how keys are placed in the store. */
    public static RedisOpener redis() {
        return new RedisOpener(settings ->
                new RedisOpener.StoreTraits(settings.get(StoreSettings.LOG) == LogPlace.FLUSS, appendfsync(settings)));
    }

    private static String appendfsync(Settings settings) {
        return switch (settings.get(StoreSettings.DURABILITY)) {
            case ALWAYS -> "always";
            case EVERYSEC -> "everysec";
            case OS -> "no";
        };
    }
}
