package io.polytable.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The values of all keys. Immutable and valid. */
public final class Configuration {
    private final Map<Key<?>, Setting> settings;

    private Configuration(Map<Key<?>, Setting> settings) {
        this.settings = settings;
    }

    /** Reads all sources, in order of precedence, and refuses the first invalid name or value. */
    public static Configuration load(CommandLineWords commandLine, Map<String, String> environment) {
        List<Setting> variables = EnvironmentVariables.read(environment);
        List<Setting> file = fileSettings(commandLine, environment, variables);
        Map<Key<?>, Setting> strongest = new LinkedHashMap<>();
        for (Key<?> key : Catalogue.keys()) {
            strongest.put(key, new Setting(key, key.defaultText(), new Origin.Default()));
        }
        Stream.of(file, variables, commandLine.settings()).flatMap(List::stream).forEach(setting -> {
            refuseUnlessValid(setting);
            strongest.put(setting.key(), setting);
        });
        return new Configuration(strongest);
    }

    public <T> T get(Key<T> key) {
        String text = setting(key).text();
        return key.type().parse(text).orElseThrow(() -> new IllegalStateException(key.name() + "=" + text));
    }

    public Setting setting(Key<?> key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key.name() + " is not in the catalogue");
        }
        return setting;
    }

    /** In the order of the catalogue. */
    public List<Setting> settings() {
        return List.copyOf(settings.values());
    }

    /** The data directory, absolute. */
    public Path dataDirectory() {
        return get(ServerKeys.DATA_DIR).toAbsolutePath().normalize();
    }

    private static List<Setting> fileSettings(
            CommandLineWords commandLine, Map<String, String> environment, List<Setting> variables) {
        Optional<String> named = commandLine
                .file()
                .or(() -> Optional.ofNullable(environment.get(EnvironmentVariables.FILE_VARIABLE))
                        .filter(name -> !name.isBlank()));
        if (named.isPresent()) {
            return SettingsFile.read(Path.of(named.get()));
        }
        Path file = dataDirectory(commandLine, variables).resolve(SettingsFile.NAME);
        return Files.exists(file) ? insideDataDirectory(SettingsFile.read(file)) : List.of();
    }

    /** The file is found through the data directory, so it cannot set that directory. */
    private static List<Setting> insideDataDirectory(List<Setting> settings) {
        for (Setting setting : settings) {
            if (setting.key().equals(ServerKeys.DATA_DIR)) {
                throw new ConfigurationException("data.dir cannot be set in the data directory's own file ("
                        + setting.origin().describe() + "); use --data.dir, DATA_DIR or --config=FILE");
            }
        }
        return settings;
    }

    private static Path dataDirectory(CommandLineWords commandLine, List<Setting> variables) {
        Setting strongest = Stream.of(variables, commandLine.settings())
                .flatMap(List::stream)
                .filter(setting -> setting.key().equals(ServerKeys.DATA_DIR))
                .reduce((weaker, stronger) -> stronger)
                .orElseGet(() ->
                        new Setting(ServerKeys.DATA_DIR, ServerKeys.DATA_DIR.defaultText(), new Origin.Default()));
        return ServerKeys.DATA_DIR.type().parse(strongest.text()).orElseThrow(() -> refusal(strongest));
    }

    private static void refuseUnlessValid(Setting setting) {
        if (!setting.isValid()) {
            throw refusal(setting);
        }
    }

    private static ConfigurationException refusal(Setting setting) {
        Key<?> key = setting.key();
        return new ConfigurationException(key.name() + " cannot be \"" + setting.shown() + "\" (from "
                + setting.origin().describe() + "): it takes " + key.type().takes());
    }
}
