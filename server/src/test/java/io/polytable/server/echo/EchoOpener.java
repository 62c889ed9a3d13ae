package io.polytable.server.echo;

import static io.polytable.frontend.setting.Setting.setting;

import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.setting.ValueTypes;
import io.polytable.table.TableStore;
import java.util.List;
import java.util.Optional;

/** Declares the echo protocol: its settings, its share of memory, its check, its start. */
final class EchoOpener implements FrontendOpener {
    private static final Declarations SETTINGS = new Declarations();

    static final Setting<Boolean> ENABLED =
            SETTINGS.add(setting("echo.enabled", ValueTypes.bool(), "true", "Serves the echo protocol."));

    static final Setting<Integer> PORT =
            SETTINGS.add(setting("echo.port", ValueTypes.port(), "7", "Port of the echo protocol."));

    static final Setting<Integer> CONNECTIONS_MAX = SETTINGS.add(
            setting("echo.connections.max", ValueTypes.integer(1, 1_000_000), "100", "Echo connections at a time.")
                    .live());

    /** Lines that wait until they are durable. */
    static final String LINES = "echo.lines";

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS.all();
    }

    @Override
    public Setting<Boolean> enabled() {
        return ENABLED;
    }

    @Override
    public Optional<Setting<Integer>> port(String listener) {
        return Optional.of(PORT);
    }

    @Override
    public void plan(MemoryPlan.Builder plan, Settings settings) {
        if (settings.get(ENABLED)) {
            plan.borrowing(LINES, plan.heapBytes() / 64);
        }
    }

    @Override
    public Frontend open(FrontendContext context) {
        return new EchoFrontend(context);
    }

    @Override
    public Optional<Findings> verify(TableStore store, Settings settings, boolean repair, Progress progress) {
        return store.find(EchoRows.NAME).map(table -> new EchoRows(store, table).verify(repair));
    }
}
