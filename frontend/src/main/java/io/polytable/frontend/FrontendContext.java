package io.polytable.frontend;

import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.Followers;
import io.polytable.frontend.view.View;
import io.polytable.table.TableStore;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a server gives to each of its frontends.
 *
 * @param settings of the process, with live values
 * @param memory the plan, with the shares that the frontend's opener added
 * @param users the users of all protocols
 * @param sessions the registry of the sessions of all protocols
 * @param network the event loops that protocols share
 * @param address the address on which all protocols listen
 * @param guard authentication and protection of the HTTP port
 * @param directory the data directory, for files of the frontend's own
 * @param views the views of all frontends; asked again at each use
 * @param followers who follows views, such as the readable tables in Fluss
 * @param stop requests a stop of the whole server, for clients with that permission
 */
public record FrontendContext(
        TableStore store,
        Settings settings,
        MemoryPlan memory,
        Users users,
        Sessions sessions,
        Network network,
        InetAddress address,
        RequestGuard guard,
        Path directory,
        Supplier<List<View>> views,
        Followers followers,
        InstantSource clock,
        Runnable stop) {}
