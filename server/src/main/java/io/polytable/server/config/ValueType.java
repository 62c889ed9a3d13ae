package io.polytable.server.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * A parser for the text of a setting.
 *
 * @param takes the accepted values, as a phrase after "takes", for errors and documentation
 * @param parser returns the value, or empty for invalid text
 */
public record ValueType<T>(String takes, Function<String, Optional<T>> parser) {
    public Optional<T> parse(String text) {
        return parser.apply(text.strip());
    }
}
