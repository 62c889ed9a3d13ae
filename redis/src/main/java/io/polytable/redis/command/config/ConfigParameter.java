package io.polytable.redis.command.config;

import io.polytable.frontend.setting.LiveValue;
import io.polytable.frontend.setting.Setting;
import io.polytable.redis.model.RedisError;

/** One parameter of CONFIG on a server. Thread safe. */
public sealed interface ConfigParameter {
    /** Who may change a parameter. */
    enum Change {
        /** CONFIG SET. */
        FREE,
        /** Redis allows a change; here CONFIG SET accepts only the present value. */
        SAME,
        /** Only at the start. */
        NEVER
    }

    String name();

    /** The value as CONFIG GET shows it. */
    String text();

    /**
     * Validates a new value.
     *
     * @throws RedisError with the reason when it is not allowed
     */
    void check(String text);

    /** A parameter that is a setting of the server. */
    record OfSetting<T>(Declaration<T> declaration, LiveValue<T> value) implements ConfigParameter {
        @Override
        public String name() {
            return declaration.name();
        }

        @Override
        public String text() {
            return declaration.notation().show(value.get());
        }

        @Override
        public void check(String text) {
            if (!declaration.setting().isLive()) {
                throw new RedisError("can't set immutable config");
            }
            parse(text);
        }

        /** The text in the notation of the settings file. */
        public String fileText(String text) {
            return declaration.setting().type().write(parse(text));
        }

        private T parse(String text) {
            return declaration.notation().parse(text, value.get());
        }
    }

    /** The declaration of a parameter that is a setting: a name in Redis, a setting, and CONFIG's notation. */
    record Declaration<T>(String name, Setting<T> setting, Notation<T> notation) {}

    /** A parameter that describes this server to tools in Redis' terms. */
    final class Description<T> implements ConfigParameter {
        private final String name;
        private final Notation<T> notation;
        private final Change change;
        private volatile T value;

        Description(String name, Notation<T> notation, Change change, T value) {
            this.name = name;
            this.notation = notation;
            this.change = change;
            this.value = value;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String text() {
            return notation.show(value);
        }

        @Override
        public void check(String text) {
            if (change == Change.NEVER) {
                throw new RedisError("can't set immutable config");
            }
            String wanted = notation.show(notation.parse(text, value));
            if (change == Change.SAME && !wanted.equals(text())) {
                throw new RedisError("this server can only have " + (text().isEmpty() ? "none" : text()));
            }
        }

        /** Describes the server as it is, which no client can change. */
        void describe(String text) {
            value = notation.parse(text, value);
        }
    }
}
