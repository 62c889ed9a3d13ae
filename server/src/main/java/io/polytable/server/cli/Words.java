package io.polytable.server.cli;

import io.polytable.frontend.setting.CommandLineWords;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.ServerCatalog;
import io.polytable.server.run.RefusedException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The arguments of a command: settings, and the arguments that the command declares. */
final class Words {
    @Parameters(
            arity = "0..*",
            paramLabel = "--KEY=VALUE",
            description = "Settings for this run; polytable config lists them. --config=FILE names a file of them.")
    private final List<String> words = new ArrayList<>();

    /** The settings, for a command without other arguments. */
    Settings settings() {
        return split(List.of()).settings();
    }

    /** The settings, and exactly one argument for each name. */
    Split split(List<String> names) {
        CommandLineWords split = CommandLineWords.of(ServerCatalog.get(), words);
        List<String> plain = split.plain();
        if (plain.size() < names.size()) {
            throw new RefusedException("Missing argument: " + names.get(plain.size()));
        }
        if (plain.size() > names.size()) {
            throw new RefusedException("Unexpected argument: " + plain.get(names.size()));
        }
        return new Split(Settings.load(ServerCatalog.get(), split, System.getenv()), plain);
    }

    record Split(Settings settings, List<String> arguments) {
        Split {
            arguments = List.copyOf(arguments);
        }
    }
}
