package io.polytable.frontend.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The declaration of a setting.
 *
 * @param name the spelling in the file; the other two follow from it
 * @param defaultText the default in the notation of the file
 * @param meaning one line, for {@code polytable config} and the documentation
 * @param aliases other names for this setting
 * @param isSecret whether its value is never printed
 * @param isLive whether it can be changed while the server runs
 * @param isInUse false for a setting that is accepted for compatibility and has no effect
 */
public record Setting<T>(
        String name,
        ValueType<T> type,
        String defaultText,
        String meaning,
        List<String> aliases,
        boolean isSecret,
        boolean isLive,
        boolean isInUse) {
    public Setting {
        aliases = List.copyOf(aliases);
    }

    public static <T> Setting<T> setting(String name, ValueType<T> type, String defaultText, String meaning) {
        return new Setting<>(name, type, defaultText, meaning, List.of(), false, false, true);
    }

    public Setting<T> alias(String alias) {
        List<String> more = new ArrayList<>(aliases);
        more.add(alias);
        return new Setting<>(name, type, defaultText, meaning, more, isSecret, isLive, isInUse);
    }

    /** A copy that programs may pass, but that the design has no use for. */
    public Setting<T> withoutEffect() {
        return new Setting<>(name, type, defaultText, meaning, aliases, isSecret, isLive, false);
    }

    public Setting<T> secret() {
        return new Setting<>(name, type, defaultText, meaning, aliases, true, isLive, isInUse);
    }

    /** A copy whose value can be changed while the server runs. */
    public Setting<T> live() {
        return new Setting<>(name, type, defaultText, meaning, aliases, isSecret, true, isInUse);
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        names.add(name);
        names.addAll(aliases);
        return names;
    }

    /** {@code redis.proto-max-bulk-len} is {@code REDIS_PROTO_MAX_BULK_LEN} in the environment. */
    static String environmentSpelling(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    public String environmentName() {
        return environmentSpelling(name);
    }
}
