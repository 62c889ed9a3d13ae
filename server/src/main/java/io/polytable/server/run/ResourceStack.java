package io.polytable.server.run;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stack of opened resources, closed in reverse order; a failure to close one does not keep the others open. */
final class ResourceStack {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceStack.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <C extends AutoCloseable> C add(C resource) {
        opened.push(resource);
        return resource;
    }

    /** False if something did not close properly. */
    boolean closeAll() {
        boolean clean = true;
        while (!opened.isEmpty()) {
            AutoCloseable next = opened.pop();
            try {
                next.close();
            } catch (Exception | Error failure) {
                LOG.error("{} did not close", next.getClass().getSimpleName(), failure);
                clean = false;
            }
        }
        return clean;
    }
}
