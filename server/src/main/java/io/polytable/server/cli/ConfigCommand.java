package io.polytable.server.cli;

import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.setting.Setting;
import io.polytable.server.config.MemoryShares;
import io.polytable.frontend.setting.Origin;
import io.polytable.server.config.ServerSettings;
import io.polytable.frontend.setting.Given;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable config}: every key with its current value, origin, default and meaning. */
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
        Settings settings = words.configuration();
        PrintWriter out = spec.commandLine().getOut();
        if (memory) {
            long heap = settings.get(ServerSettings.MEMORY_HEAP).orElseGet(MemoryShares::heapOfMachine);
            MemoryShares.of(settings, heap).lines().forEach(out::println);
            return ExitCode.DONE;
        }
        settings.settings().forEach(setting -> out.println(describe(setting)));
        return ExitCode.DONE;
    }

    private static String describe(Given setting) {
        Setting<?> key = setting.key();
        String origin = setting.origin() instanceof Origin.Default
                ? ""
                : " (from " + setting.origin().describe() + ")";
        String aliases = key.aliases().isEmpty() ? "" : " Also " + String.join(", ", key.aliases()) + ".";
        return key.name() + " = " + setting.shown() + origin + "\n    " + key.meaning() + effect(key.effect())
                + "\n    Takes " + key.type().takes() + "; default " + shownDefault(key) + "." + aliases;
    }

    private static String shownDefault(Setting<?> key) {
        return key.defaultText().isEmpty() ? "none" : key.defaultText();
    }

    private static String effect(Setting.Effect effect) {
        return switch (effect) {
            case IN_USE -> "";
            case NOT_YET -> " No effect yet.";
            case NONE -> " No effect.";
        };
    }
}
