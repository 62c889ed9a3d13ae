package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polytable reshard SHARDS}: distributes the Redis keys over another number of tables; the server is stopped. */
@Command(
        name = "reshard",
        description = "Distributes the Redis keys over another number of shards (0: one table), offline.")
final class ReshardCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    ReshardCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("SHARDS"));
        int shards = shards(split.arguments().get(0));
        Path path = split.settings().home();
        DataDirectory directory = DataDirectory.holdExisting(path)
                .orElseThrow(() -> new RefusedException("A server uses " + path + "; stop it before you reshard"));
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), split.settings())) {
            reshard(engine, split.settings(), shards);
        }
        return ExitCode.DONE;
    }

    private void reshard(RunningStore engine, Settings settings, int shards) {
        ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
        parts.transfers().reshard(engine.store(), settings, shards, bar::at).ifPresent(text -> {
            bar.end();
            spec.commandLine().getOut().println(text);
        });
    }

    private static int shards(String text) {
        if (!text.matches("\\d{1,3}")) {
            throw new RefusedException("SHARDS must be a number, 0 for one table of all keys");
        }
        return Integer.parseInt(text);
    }
}
