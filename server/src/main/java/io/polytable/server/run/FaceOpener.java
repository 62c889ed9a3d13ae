package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import java.io.IOException;

/** How one face is switched on, and opened. */
public interface FaceOpener {
    Key<Boolean> enabledKey();

    Key<Integer> portKey();

    /** Accepts connections when this returns. Throws what the operating system says where it cannot listen. */
    Face open(Configuration configuration, Engine engine) throws IOException;
}
