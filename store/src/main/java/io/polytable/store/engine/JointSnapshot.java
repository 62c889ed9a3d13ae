package io.polytable.store.engine;

import io.polytable.table.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Snapshots of several engines at one point in time. Commits are blocked while the fresh rows are captured, which only
 * stores a few numbers per engine. The snapshots of the states are taken afterwards: a state that is being reopened
 * blocks its callers, and writers of all other partitions would wait for it.
 */
public final class JointSnapshot {
    private JointSnapshot() {}

    public static List<Snapshot> of(List<Engine> engines) {
        while (true) {
            Optional<List<Snapshot>> taken = attempt(engines, capture(engines));
            if (taken.isPresent()) {
                return taken.get();
            }
            // A state has moved past what was captured before its own snapshot was taken.
        }
    }

    private static List<Appender.Captured> capture(List<Engine> engines) {
        List<Appender.Captured> captured = new ArrayList<>();
        int held = 0;
        try {
            for (; held < engines.size(); held++) {
                engines.get(held).holdCommits();
            }
            engines.forEach(engine -> captured.add(engine.capture()));
            return captured;
        } catch (RuntimeException e) {
            captured.forEach(one -> one.rows().close());
            throw e;
        } finally {
            while (held > 0) {
                engines.get(--held).resumeCommits();
            }
        }
    }

    private static Optional<List<Snapshot>> attempt(List<Engine> engines, List<Appender.Captured> captured) {
        List<Snapshot> taken = new ArrayList<>();
        int tried = 0;
        try {
            while (tried < engines.size()) {
                Appender.Captured one = captured.get(tried);
                Optional<EngineSnapshot> next = engines.get(tried++).snapshotAt(one);
                if (next.isEmpty()) {
                    break;
                }
                taken.add(next.get());
            }
            return taken.size() == engines.size() ? Optional.of(taken) : Optional.empty();
        } finally {
            if (taken.size() < engines.size()) {
                taken.forEach(Snapshot::close);
                captured.subList(tried, captured.size())
                        .forEach(one -> one.rows().close());
            }
        }
    }
}
