package io.polytable.server.assembly;

import io.polytable.server.config.Frontends;
import io.polytable.server.run.Parts;

/** The engine and the frontends of this server. */
public final class Assembly {
    private Assembly() {}

    public static Parts parts() {
        return new Parts(new StoreOpener(), Frontends.all(), new ProtocolFiles(Frontends.redis()));
    }
}
