package io.polytable.entity.hbase;

import io.polytable.entity.contract.EntityContract;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The suite on our own HBase frontend, through HBase's client. */
class HBaseEntityTest extends EntityContract {
    @TempDir
    static Path directory;

    private static @Nullable ServedFace served;

    /** An extension's callback runs after the suite's own methods, which still need the server. */
    @RegisterExtension
    static final AfterAllCallback STOP = context -> {
        if (served != null) {
            served.close();
        }
    };

    @Override
    protected EntityUri uri() {
        ServedFace running = served;
        if (running == null) {
            try {
                running = ServedFace.on(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            served = running;
        }
        return running.uri().withInstance("contract").withOption("layout.lease.millis", "300");
    }
}
