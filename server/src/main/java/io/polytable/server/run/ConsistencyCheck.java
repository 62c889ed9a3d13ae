package io.polytable.server.run;

import io.polytable.frontend.Findings;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs all checks over an open engine: its rows are readable, and each frontend's rows and files are consistent. */
public final class ConsistencyCheck {
    private ConsistencyCheck() {}

    /**
     * Runs all checks.
     *
     * @param files the files that rows name
     * @param deep reads all of the files, not only their footers
     */
    public static Findings run(
            RunningStore engine, Parts parts, Settings settings, Optional<NamedFiles> files, boolean deep) {
        List<Findings> all = new ArrayList<>();
        all.add(engine.check());
        for (FrontendOpener opener : parts.frontends()) {
            orDamage(() -> opener.verify(engine.store(), settings, false, Progress.NONE))
                    .ifPresent(all::add);
        }
        files.flatMap(named -> orDamage(() -> Optional.of(named.check(deep)))).ifPresent(all::add);
        return new Findings(
                String.join("\n", all.stream().map(Findings::summary).toList()),
                all.stream().flatMap(part -> part.problems().stream()).toList());
    }

    /** Damaged rows end one check, not those that follow. */
    private static Optional<Findings> orDamage(Supplier<Optional<Findings>> check) {
        try {
            return check.get();
        } catch (StoreException damage) {
            if (damage.error() != StoreError.CORRUPT) {
                throw damage;
            }
            return Optional.of(new Findings(
                    "A check met damaged rows and ended", List.of("Rows cannot be read: " + damage.getMessage())));
        }
    }
}
