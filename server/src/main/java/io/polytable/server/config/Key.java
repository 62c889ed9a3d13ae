package io.polytable.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The declaration of a setting.
 *
 * @param name the spelling in the file; the other two follow from it
 * @param defaultText the default in the notation of the file
 * @param meaning one line, for {@code polytable config} and the documentation
 * @param effect whether setting it has an effect in this version
 * @param aliases other names for this key
 * @param secret whether its value is never printed
 */
public record Key<T>(
        String name,
        ValueType<T> type,
        String defaultText,
        String meaning,
        Effect effect,
        List<String> aliases,
        boolean secret) {

    /** The effect of a key in this version. */
    public enum Effect {
        IN_USE,
        /** Accepted, for a frontend or an engine that does not exist yet. */
        NOT_YET,
        /** Accepted for compatibility with programs that pass it; the design needs no such choice. */
        NONE
    }

    public Key {
        aliases = List.copyOf(aliases);
    }

    static <T> Key<T> key(String name, ValueType<T> type, String defaultText, String meaning) {
        return new Key<>(name, type, defaultText, meaning, Effect.IN_USE, List.of(), false);
    }

    Key<T> alias(String alias) {
        List<String> more = new ArrayList<>(aliases);
        more.add(alias);
        return new Key<>(name, type, defaultText, meaning, effect, more, secret);
    }

    Key<T> notYet() {
        return new Key<>(name, type, defaultText, meaning, Effect.NOT_YET, aliases, secret);
    }

    Key<T> withoutEffect() {
        return new Key<>(name, type, defaultText, meaning, Effect.NONE, aliases, secret);
    }

    Key<T> asSecret() {
        return new Key<>(name, type, defaultText, meaning, effect, aliases, true);
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
