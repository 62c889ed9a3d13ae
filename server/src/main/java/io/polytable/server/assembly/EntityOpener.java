package io.polytable.server.assembly;

import io.polytable.entity.rest.EntitySettings;
import io.polytable.entity.rest.RestService;
import io.polytable.entity.wire.StoreCall;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.View;
import io.polytable.server.run.Access;
import io.polytable.server.run.HttpFace;
import io.polytable.server.run.HttpFaceOpener;
import io.polytable.server.run.RunningStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Opens entities on the HTTP port: for the entity library in other processes, and as JSON. */
final class EntityOpener implements HttpFaceOpener {
    @Override
    public Setting<Boolean> enabledKey() {
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
    public HttpFace open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Path directory,
            Supplier<List<View>> views,
            Access access) {
        RequestGuard guard = SqlOpener.guard(settings, access);
        return new RunningEntities(() -> SharedCells.over(engine.store()), guard, access.users(), access.sessions());
    }
}
