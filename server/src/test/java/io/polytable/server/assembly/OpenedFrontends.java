package io.polytable.server.assembly;

import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.Followers;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.run.RunningStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Contexts for single frontends, without a server. */
final class OpenedFrontends {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private OpenedFrontends() {}

    static FrontendContext context(Settings settings, RunningStore engine) {
        return context(settings, engine, engine.projection());
    }

    static FrontendContext context(Settings settings, RunningStore engine, Followers followers) {
        Sessions sessions = new Sessions();
        InstantSource clock = InstantSource.system();
        Users users = Users.open(engine.store(), sessions, clock);
        return new FrontendContext(
                engine.store(),
                settings,
                MemoryShares.of(settings),
                users,
                sessions,
                NETWORK,
                settings.get(ServerSettings.BIND_ADDRESS),
                new RequestGuard(Set.of(), users, bearer -> Optional.empty()),
                settings.home(),
                List::of,
                followers,
                clock,
                () -> {});
    }
}
