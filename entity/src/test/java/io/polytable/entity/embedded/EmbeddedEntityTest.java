package io.polytable.entity.embedded;

import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The suite on the embedded store. */
class EmbeddedEntityTest extends EntityContract {
    @TempDir
    static Path directory;

    @Override
    protected EntityUri uri() {
        return EntityUri.embedded(directory).withInstance("contract");
    }
}
