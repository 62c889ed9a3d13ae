package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import io.polytable.server.config.Key;
import io.polytable.table.TableStore;
import java.io.IOException;

/** One face: how it is switched on and opened, and who looks after its rows. */
public interface FaceOpener {
    Key<Boolean> enabledKey();

    Key<Integer> portKey();

    /** Accepts connections when this returns. Throws what the operating system says where it cannot listen. */
    Face open(Configuration configuration, Engine engine) throws IOException;

    /** Compares what this face's rows say of each other; changes nothing. */
    Findings check(TableStore store, Configuration configuration);
}
