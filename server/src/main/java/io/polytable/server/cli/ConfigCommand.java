package io.polytable.server.cli;

import io.polytable.frontend.setting.Given;
import io.polytable.frontend.setting.Origin;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable config}: every setting with its current value, origin, default and meaning. */
@Command(name = "config", description = "Prints every setting: value, origin, default and meaning.")
final class ConfigCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Option(names = "--memory", description = "Prints the memory plan instead: every share of the heap.")
    private boolean memory;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Settings settings = words.settings();
        PrintWriter out = spec.commandLine().getOut();
        if (memory) {
            long heap = settings.get(ServerSettings.MEMORY_HEAP).orElseGet(MemoryShares::heapOfMachine);
            MemoryShares.of(settings, heap).lines().forEach(out::println);
            return ExitCode.DONE;
        }
        settings.all().stream().filter(ConfigCommand::isPrinted).forEach(given -> out.println(describe(given)));
        out.println(settings.catalog().settings().stream()
                .filter(setting -> !setting.isInUse())
                .map(Setting::name)
                .collect(Collectors.joining(", ", "Accepted without effect: ", "")));
        return ExitCode.DONE;
    }

    /** What has no effect is worth a line only where somebody has set it. */
    private static boolean isPrinted(Given given) {
        return given.setting().isInUse() || !(given.origin() instanceof Origin.Default);
    }

    private static String describe(Given given) {
        Setting<?> setting = given.setting();
        String origin = given.origin() instanceof Origin.Default
                ? ""
                : " (from " + given.origin().describe() + ")";
        String aliases = setting.aliases().isEmpty() ? "" : " Also " + String.join(", ", setting.aliases()) + ".";
        String first = setting.defaultText().isEmpty() ? "none" : setting.defaultText();
        return setting.name() + " = " + given.shown() + origin + "\n    " + setting.meaning()
                + (setting.isInUse() ? "" : " No effect.") + "\n    Takes "
                + setting.type().takes() + "; default " + first + (setting.isLive() ? "; live." : ".") + aliases;
    }
}
