package io.polytable.frontend.setting;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The settings of all modules of a server, found by any of their spellings. */
public final class SettingCatalog {
    private final Setting<Path> home;
    private final List<Setting<?>> settings;
    private final Map<String, Setting<?>> byName;
    private final Map<String, Setting<?>> byVariable;

    /**
     * A catalog of the settings.
     *
     * @param home the directory that holds the settings file, unless another file is named
     * @param settings the home too, in display order
     */
    public SettingCatalog(Setting<Path> home, List<Setting<?>> settings) {
        this.home = home;
        this.settings = List.copyOf(settings);
        byName = index(UnaryOperator.identity());
        byVariable = index(Setting::environmentSpelling);
    }

    Setting<Path> home() {
        return home;
    }

    /** In display order. */
    public List<Setting<?>> settings() {
        return settings;
    }

    /** Finds a setting by its name or an alias. */
    public Optional<Setting<?>> byName(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Environment spellings, aliases included, with their settings. */
    Map<String, Setting<?>> byVariable() {
        return byVariable;
    }

    public Optional<String> nearestName(String name) {
        return Spelling.nearest(name, byName.keySet());
    }

    Optional<String> nearestVariable(String variable) {
        return Spelling.nearest(variable, byVariable.keySet());
    }

    private Map<String, Setting<?>> index(UnaryOperator<String> spelling) {
        Map<String, Setting<?>> index = new LinkedHashMap<>();
        for (Setting<?> setting : settings) {
            for (String name : setting.names()) {
                Setting<?> other = index.put(spelling.apply(name), setting);
                if (other != null) {
                    throw new IllegalStateException(name + " is spelled like " + other.name());
                }
            }
        }
        return index;
    }
}
