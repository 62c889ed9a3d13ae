package io.polytable.server.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * How the text of a setting becomes a value.
 *
 * @param takes what is accepted, in words that follow "takes", for refusals and documentation
 * @param parser the value, or empty where the text is not one
 */
public record ValueType<T>(String takes, Function<String, Optional<T>> parser) {
    public Optional<T> parse(String text) {
        return parser.apply(text.strip());
    }
}
