package io.polytable.entity.permit;

import io.polytable.entity.contract.PermissionContract;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** On a store that does not know users itself. */
class PermissionsTest extends PermissionContract {
    @TempDir
    static Path directory;

    @Override
    protected EntityUri uri() {
        return EntityUri.embedded(directory.resolve("data"));
    }
}
