package io.polytable.frontend.setting;

import static io.polytable.frontend.setting.Spelling.didYouMean;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;

/**
 * The arguments after the command's name: settings ({@code --key=value}, {@code --key value}, or {@code --key} alone
 * for true), {@code --config=FILE}, and positional arguments.
 */
public record CommandLineWords(List<Given> settings, Optional<String> file, List<String> plain) {
    private static final String FILE_OPTION = "config";

    public CommandLineWords {
        settings = List.copyOf(settings);
        plain = List.copyOf(plain);
    }

    public static CommandLineWords of(SettingCatalog catalog, List<String> words) {
        List<Given> settings = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        Optional<String> file = Optional.empty();
        ListIterator<String> rest = words.listIterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (!word.startsWith("--")) {
                plain.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
            Optional<String> attached = equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
            if (name.equals(FILE_OPTION)) {
                file = Optional.of(attached.orElseGet(() -> following(name, rest)));
            } else {
                settings.add(setting(catalog, name, attached, rest));
            }
        }
        return new CommandLineWords(settings, file, plain);
    }

    private static Given setting(
            SettingCatalog catalog, String name, Optional<String> attached, ListIterator<String> rest) {
        Setting<?> key = catalog.byName(name).orElseThrow(() -> unknown(catalog, name));
        String text = attached.orElseGet(() -> isSwitch(key) ? switched(key, rest) : following(name, rest));
        return new Given(key, text, new Origin.CommandLine("--" + name));
    }

    private static boolean isSwitch(Setting<?> key) {
        return key.type()
                .parse("true")
                .filter(value -> value.equals(true) || value.equals(Optional.of(true)))
                .isPresent();
    }

    /** A switch alone is true; it takes the next argument only if that is a boolean. */
    private static String switched(Setting<?> key, ListIterator<String> rest) {
        if (!rest.hasNext()) {
            return "true";
        }
        String next = rest.next();
        if (key.type().parse(next).isPresent()) {
            return next;
        }
        rest.previous();
        return "true";
    }

    private static String following(String name, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new SettingException("--" + name + " needs a value: --" + name + "=...");
        }
        return rest.next();
    }

    private static SettingException unknown(SettingCatalog catalog, String name) {
        return new SettingException("There is no setting --" + name
                + didYouMean(catalog.nearestName(name).map(nearest -> "--" + nearest)));
    }
}
