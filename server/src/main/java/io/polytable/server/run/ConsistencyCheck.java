package io.polytable.server.run;

import io.polytable.server.config.Configuration;
import java.util.ArrayList;
import java.util.List;

/** Runs all checks over an open engine: its rows are readable, and each face's rows are consistent. */
public final class ConsistencyCheck {
    private ConsistencyCheck() {}

    public static Findings run(RunningStore engine, Parts parts, Configuration configuration) {
        List<Findings> all = new ArrayList<>();
        all.add(engine.check());
        for (FaceOpener face : parts.faces()) {
            all.add(face.check(engine.store(), configuration));
        }
        return new Findings(
                String.join("\n", all.stream().map(Findings::summary).toList()),
                all.stream().flatMap(part -> part.problems().stream()).toList());
    }
}
