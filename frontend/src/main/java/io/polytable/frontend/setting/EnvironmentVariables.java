package io.polytable.frontend.setting;

import static io.polytable.frontend.setting.Spelling.didYouMean;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Settings from environment variables, told apart from variables of other programs. */
final class EnvironmentVariables {
    /** The variable for {@code --config}; plain CONFIG could belong to another program. */
    static final String FILE_VARIABLE = "POLYTABLE_CONFIG";

    /** Prefixes that no other known program uses, so an unknown name under them is a misspelling of ours. */
    private static final List<String> UNMISTAKABLE =
            List.of("FLUSS_LOG_", "REDIS_SHARDING_", "REDIS_ZSET_", "STORE_LOG_");

    /**
     * Container platforms announce a service called redis to its neighbours as {@code REDIS_PORT=tcp://10.0.0.7:6379}.
     * That does not set our port.
     */
    private static final Pattern SERVICE_LINK = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentVariables() {}

    static List<Given> read(SettingCatalog catalog, Map<String, String> environment) {
        List<Given> settings = new ArrayList<>();
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            Setting<?> key = catalog.byVariable().get(entry.getKey());
            if (key == null) {
                refuseMisspelled(catalog, entry.getKey());
            } else if (isMeantForUs(entry.getValue())) {
                settings.add(new Given(key, entry.getValue(), new Origin.Environment(entry.getKey())));
            }
        }
        return settings;
    }

    /** Compose files and unit files use an empty variable for "not set". */
    private static boolean isMeantForUs(String value) {
        return !value.isBlank() && !SERVICE_LINK.matcher(value).matches();
    }

    private static void refuseMisspelled(SettingCatalog catalog, String variable) {
        if (UNMISTAKABLE.stream().anyMatch(variable::startsWith)) {
            throw new SettingException("There is no setting " + variable + " (in the environment)"
                    + didYouMean(catalog.nearestVariable(variable)));
        }
    }
}
