package io.polytable.frontend.setting;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The values of all settings of a process. Every value is valid; live ones may change at any time. Thread safe. */
public final class Settings {
    private final SettingCatalog catalog;
    private final Optional<Path> file;
    private final Map<Setting<?>, LiveValue<?>> values = new LinkedHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private Settings(SettingCatalog catalog, Optional<Path> file, List<Given> given) {
        this.catalog = catalog;
        this.file = file;
        Map<Setting<?>, Given> strongest = new HashMap<>();
        // All are validated, also those that another source overrides.
        given.forEach(each -> strongest.put(each.setting(), value(each).given()));
        for (Setting<?> setting : catalog.settings()) {
            values.put(setting, value(strongest.getOrDefault(setting, Given.byDefault(setting))));
        }
    }

    private static LiveValue<?> value(Given given) {
        return new LiveValue<>(given.setting(), given);
    }

    /** The defaults, of a process without a settings file. */
    public static Settings defaults(SettingCatalog catalog) {
        return new Settings(catalog, Optional.empty(), List.of());
    }

    /** The defaults of a protocol's settings, for a frontend without a server. */
    public static Settings defaults(List<Setting<?>> declared) {
        Setting<Path> home = Setting.setting("data.dir", ValueTypes.path(), ".", "The directory of the process.");
        List<Setting<?>> all = new ArrayList<>(declared);
        all.add(home);
        return defaults(new SettingCatalog(home, all));
    }

    /**
     * Reads all sources, in order of precedence.
     *
     * @throws SettingException at the first invalid name or value
     */
    public static Settings load(SettingCatalog catalog, List<String> words, Map<String, String> environment) {
        return load(catalog, CommandLineWords.of(catalog, words), environment);
    }

    /** As {@link #load(SettingCatalog, List, Map)}, for a command line that is parsed already. */
    public static Settings load(SettingCatalog catalog, CommandLineWords commandLine, Map<String, String> environment) {
        List<Given> variables = EnvironmentVariables.read(catalog, environment);
        Optional<Path> named = commandLine
                .file()
                .or(() -> Optional.ofNullable(environment.get(EnvironmentVariables.FILE_VARIABLE))
                        .filter(name -> !name.isBlank()))
                .map(Path::of);
        Path file = named.orElseGet(
                () -> home(catalog, variables, commandLine.settings()).resolve(SettingsFile.NAME));
        List<Given> all = new ArrayList<>();
        if (named.isPresent()) {
            all.addAll(SettingsFile.read(catalog, file));
        } else if (Files.exists(file)) {
            all.addAll(insideHome(catalog, SettingsFile.read(catalog, file)));
        }
        all.addAll(variables);
        all.addAll(commandLine.settings());
        return new Settings(catalog, Optional.of(file), all);
    }

    /** The file is found through the home, so it cannot set that directory. */
    private static List<Given> insideHome(SettingCatalog catalog, List<Given> settings) {
        String home = catalog.home().name();
        for (Given given : settings) {
            if (given.setting().equals(catalog.home())) {
                throw new SettingException(home + " cannot be set in the data directory's own file ("
                        + given.origin().describe() + "); use --" + home + ", "
                        + catalog.home().environmentName() + " or --config=FILE");
            }
        }
        return settings;
    }

    private static Path home(SettingCatalog catalog, List<Given> variables, List<Given> commandLine) {
        Given strongest = Stream.of(variables, commandLine)
                .flatMap(List::stream)
                .filter(given -> given.setting().equals(catalog.home()))
                .reduce((weaker, stronger) -> stronger)
                .orElseGet(() -> Given.byDefault(catalog.home()));
        return new LiveValue<>(catalog.home(), strongest).get();
    }

    /** The catalog that the values belong to. */
    public SettingCatalog catalog() {
        return catalog;
    }

    /** The current value. */
    public <T> T get(Setting<T> setting) {
        return live(setting).get();
    }

    /** The current value in the notation of the file, with its origin. */
    public Given given(Setting<?> setting) {
        return live(setting).given();
    }

    /** A handle that follows the value. */
    @SuppressWarnings("unchecked") // the constructor puts a value of its own type under each setting
    public <T> LiveValue<T> live(Setting<T> setting) {
        LiveValue<?> value = values.get(setting);
        if (value == null) {
            throw new IllegalStateException(setting.name() + " is not in the catalog");
        }
        return (LiveValue<T>) value;
    }

    /** In display order. */
    public List<Given> all() {
        return values.values().stream().map(LiveValue::given).toList();
    }

    /** The data directory, absolute. */
    public Path home() {
        return get(catalog.home()).toAbsolutePath().normalize();
    }

    /**
     * Changes live settings, all or none, and runs the listeners.
     *
     * @param texts in the notation of the file
     * @param who names the statement or command that changes them
     * @throws SettingException if one cannot be changed, or not to this value
     */
    public void change(Map<Setting<?>, String> texts, String who) {
        synchronized (this) {
            List<Given> changes = new ArrayList<>();
            texts.forEach((setting, text) -> changes.add(new Given(setting, text, new Origin.Changed(who))));
            for (Given change : changes) {
                if (!change.setting().isLive()) {
                    throw new SettingException(change.setting().name() + " cannot be changed while the server runs");
                }
                LiveValue<?> unusedButValid = value(change);
            }
            changes.forEach(change -> live(change.setting()).take(change));
        }
        listeners.forEach(Runnable::run);
    }

    /** A copy in which the settings have these values, for a process that has not started. */
    public Settings with(Map<Setting<?>, String> texts) {
        List<Given> all = new ArrayList<>(all());
        texts.forEach((setting, text) -> all.add(new Given(setting, text, new Origin.Changed("the program"))));
        return new Settings(catalog, file, all);
    }

    /** Runs the action after each change, until the registration is closed. */
    public Registration onChange(Runnable action) {
        listeners.add(action);
        return () -> listeners.remove(action);
    }

    /** A listener's registration. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Writes the values that were changed while the server ran into the settings file. Its other lines and comments
     * stay. False if this process has no settings file.
     *
     * @throws SettingException if the file cannot be written
     */
    public synchronized boolean rewrite() {
        List<Given> changed = all().stream()
                .filter(given -> given.origin() instanceof Origin.Changed)
                .toList();
        file.ifPresent(path -> SettingsFile.rewrite(catalog, path, changed));
        return file.isPresent();
    }
}
