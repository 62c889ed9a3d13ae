package io.polytable.entity.embedded;

import io.polytable.cells.store.SharedCells;
import io.polytable.entity.rest.EntitySettings;
import io.polytable.entity.rest.RestService;
import io.polytable.entity.wire.StoreCall;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.setting.Setting;
import java.util.List;

/** Opens entities on the HTTP port: for the entity library in other processes, and as JSON. */
public final class EntityOpener implements FrontendOpener {
    private final SharedCells cells;

    /** @param cells the cell stores of all frontends */
    public EntityOpener(SharedCells cells) {
        this.cells = cells;
    }

    @Override
    public List<Setting<?>> settings() {
        return EntitySettings.all();
    }

    @Override
    public Setting<Boolean> enabled() {
        return EntitySettings.ENABLED;
    }

    @Override
    public List<String> paths() {
        return List.of(StoreCall.PATH);
    }

    @Override
    public List<String> trees() {
        return List.of(RestService.PATH);
    }

    @Override
    public Frontend open(FrontendContext context) {
        return new EntityFrontend(
                () -> cells.over(context.store()), context.guard(), context.users(), context.sessions());
    }
}
