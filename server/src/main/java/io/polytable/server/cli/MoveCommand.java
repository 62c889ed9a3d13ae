package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.redis.command.config.RedisSettings;
import io.polytable.server.config.CrossChecks;
import io.polytable.server.config.FlussLogSettings;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable move --to fluss|file}: moves the log of a data directory. The server must be stopped. */
@Command(name = "move", description = "Moves a data directory's log to Fluss, or back to files.")
final class MoveCommand implements Callable<Integer> {
    @Option(names = "--to", required = true, description = "fluss or file.")
    private String target = "";

    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Parts parts;

    MoveCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        LogPlace place = place();
        Settings settings = words.settings();
        CrossChecks.refuseWithoutFluss(settings);
        Path path = settings.home();
        ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
        try (DataDirectory directory = DataDirectory.holdExisting(path)
                .orElseThrow(() -> new RefusedException("A server uses " + path + "; stop it before a move"))) {
            parts.engine().move(directory.store(), place, settings, bar::at);
        }
        bar.end();
        spec.commandLine()
                .getOut()
                .println("Moved the log of " + path + "; start it with: polytable serve " + settings(settings, place));
        return ExitCode.DONE;
    }

    /**
     * The settings of the next start. Whether keys are sharded is a property of the data, while the default depends on
     * where the log is: so it is stated.
     */
    private static String settings(Settings settings, LogPlace to) {
        boolean sharded = settings.get(RedisSettings.SHARDING_ENABLED).orElse(to == LogPlace.FILE);
        String common = "--data.dir=" + settings.home() + " --redis.sharding.enabled=" + sharded;
        return switch (to) {
            case FILE -> "--store.log=file " + common;
            case FLUSS ->
                "--store.log=fluss --fluss.bootstrap.servers="
                        + settings.given(FlussLogSettings.BOOTSTRAP_SERVERS).text() + " --fluss.database="
                        + settings.given(FlussLogSettings.DATABASE).text() + " " + common;
        };
    }

    private LogPlace place() {
        return switch (target.toLowerCase(Locale.ROOT)) {
            case "fluss" -> LogPlace.FLUSS;
            case "file" -> LogPlace.FILE;
            default -> throw new RefusedException("--to takes fluss or file, not " + target);
        };
    }
}
