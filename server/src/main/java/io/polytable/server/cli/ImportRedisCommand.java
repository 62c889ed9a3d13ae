package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RdbTransfer.LiveMode;
import io.polytable.server.run.RdbTransfer.LiveSource;
import io.polytable.server.run.RefusedException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable import-redis HOST:PORT}: moves the keys of a running Redis to the running server. */
@Command(
        name = "import-redis",
        description = {
            "Moves the keys of a running Redis to the running server: polytable import-redis HOST:PORT.",
            "The server becomes its replica, and all keys are compared. --cut-over then makes it a primary.",
            "User and password of the source are redis.masteruser and redis.masterauth of the server."
        })
final class ImportRedisCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--replace", description = "Removes the keys that the server has now.")
    private boolean replaces;

    @Option(names = "--cut-over", description = "Holds the writers of the source, compares, and ends the import.")
    private boolean cutsOver;

    @Option(names = "--writers-stopped", description = "With --cut-over: the writers of the source were stopped.")
    private boolean isStopped;

    @Option(names = "--copy", description = "Copies key by key, for a source that allows no replicas.")
    private boolean copies;

    private final Parts parts;

    ImportRedisCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("HOST:PORT"));
        LiveSource source = LiveSource.parse(split.arguments().get(0));
        return new RdbRun(parts, spec)
                .run(
                        split.settings().home(),
                        AdminPaths.LIVE_IMPORT,
                        Map.of(
                                AdminPaths.SOURCE,
                                source.host() + ":" + source.port(),
                                AdminPaths.MODE,
                                mode().name().toLowerCase(Locale.ROOT)));
    }

    private LiveMode mode() {
        if ((copies && (cutsOver || replaces)) || (cutsOver && replaces) || (isStopped && !cutsOver)) {
            throw new RefusedException("These options exclude each other");
        }
        if (copies) {
            return LiveMode.COPY;
        }
        if (cutsOver) {
            return isStopped ? LiveMode.CUT_OVER_STOPPED : LiveMode.CUT_OVER;
        }
        return replaces ? LiveMode.REPLACE : LiveMode.FOLLOW;
    }
}
