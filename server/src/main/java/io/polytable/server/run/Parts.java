package io.polytable.server.run;

import io.polytable.frontend.FrontendOpener;
import java.util.List;

/** The components of a server. */
public record Parts(EngineOpener engine, List<FrontendOpener> frontends, FileTransfers transfers) {
    public Parts {
        frontends = List.copyOf(frontends);
    }

    /** Without protocols that have files. */
    public Parts(EngineOpener engine, List<FrontendOpener> frontends) {
        this(engine, frontends, FileTransfers.NONE);
    }
}
