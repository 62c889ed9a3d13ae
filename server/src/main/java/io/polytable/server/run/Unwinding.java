package io.polytable.server.run;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, to be closed in reverse; one that fails to close does not keep the others open. */
final class Unwinding {
    private static final Logger LOG = LoggerFactory.getLogger(Unwinding.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <C extends AutoCloseable> C add(C resource) {
        opened.push(resource);
        return resource;
    }

    /** False when something did not close as it should. */
    boolean closeAll() {
        boolean clean = true;
        while (!opened.isEmpty()) {
            AutoCloseable next = opened.pop();
            try {
                next.close();
            } catch (Exception failure) {
                LOG.error("{} did not close", next.getClass().getSimpleName(), failure);
                clean = false;
            }
        }
        return clean;
    }
}
