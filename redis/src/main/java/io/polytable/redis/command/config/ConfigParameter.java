package io.polytable.redis.command.config;

import io.polytable.frontend.setting.LiveValue;
import io.polytable.frontend.setting.Setting;
import io.polytable.redis.model.RedisError;
import java.util.function.ToLongFunction;

/** One parameter of CONFIG on a server. Thread safe. */
public sealed interface ConfigParameter {
    /** Who may change a parameter. */
    enum Change {
        /** CONFIG SET. */
        FREE,
        /** CONFIG SET, without an effect: this server does as much or more, whatever the value. */
        ANY,
        /** The same for values that ask for no more than this server does; others are refused. */
        LESS,
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
        private final ToLongFunction<T> rank;
        private volatile T real;
        private volatile T shown;

        Description(String name, Notation<T> notation, Change change, T value) {
            this(name, notation, change, value, each -> 0);
        }

        /** @param rank how much a value demands, for {@link Change#LESS} */
        Description(String name, Notation<T> notation, Change change, T value, ToLongFunction<T> rank) {
            this.name = name;
            this.notation = notation;
            this.change = change;
            this.rank = rank;
            this.real = value;
            this.shown = value;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String text() {
            return notation.show(shown);
        }

        @Override
        public void check(String text) {
            if (change == Change.NEVER) {
                throw new RedisError("can't set immutable config");
            }
            T wanted = notation.parse(text, shown);
            String present = notation.show(real);
            boolean isRefused = (change == Change.SAME && !notation.show(wanted).equals(present))
                    || (change == Change.LESS && rank.applyAsLong(wanted) > rank.applyAsLong(real));
            if (isRefused) {
                throw new RedisError("this server can only have " + (present.isEmpty() ? "none" : present));
            }
        }

        /** CONFIG GET shows a checked value from now on. */
        void show(String text) {
            shown = notation.parse(text, shown);
        }

        /** Describes the server as it is, which no client can change. */
        void describe(String text) {
            real = notation.parse(text, real);
            shown = real;
        }
    }
}
