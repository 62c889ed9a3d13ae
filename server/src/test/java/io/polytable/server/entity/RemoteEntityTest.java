package io.polytable.server.entity;

import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The suite of the entity library through a server's HTTP port. */
@Timeout(120)
class RemoteEntityTest extends EntityContract {
    @TempDir
    static Path directory;

    private static @Nullable EntityServer served;

    /** An extension's callback runs after the suite's own methods, which still need the server. */
    @RegisterExtension
    static final AfterAllCallback STOP = context -> {
        if (served != null) {
            served.close();
        }
    };

    @Override
    protected EntityUri uri() {
        EntityServer running = served;
        if (running == null) {
            running = EntityServer.on(directory);
            served = running;
        }
        return running.uri().withInstance("contract");
    }
}
