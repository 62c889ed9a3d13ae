package io.polytable.server.entity;

import io.polytable.entity.contract.PermissionContract;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server checks the permissions of the user whom its caller names. */
@Timeout(120)
class RemotePermissionsTest extends PermissionContract {
    @TempDir
    static Path directory;

    @SuppressWarnings("NullAway.Init") // before all tests
    private static EntityServer server;

    @BeforeAll
    static void start() {
        server = EntityServer.on(directory);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected EntityUri uri() {
        return server.uri();
    }
}
