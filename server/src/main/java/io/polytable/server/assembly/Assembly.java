package io.polytable.server.assembly;

import io.polytable.server.run.Parts;
import java.util.List;

/** The engine and the frontends of this server. */
public final class Assembly {
    private Assembly() {}

    public static Parts parts() {
        return new Parts(
                new StoreOpener(),
                List.of(new RedisOpener(), new HBaseOpener()),
                List.of(new LoginOpener(), new SqlOpener(), new EntityOpener()));
    }
}
