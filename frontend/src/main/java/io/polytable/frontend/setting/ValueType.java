package io.polytable.frontend.setting;

import java.util.Optional;
import java.util.function.Function;

/**
 * The notation of a setting's values.
 *
 * @param takes the accepted values, as a phrase after "takes", for errors and documentation
 * @param parser returns the value, or empty for invalid text
 * @param writer returns a text that the parser reads as this value
 */
public record ValueType<T>(String takes, Function<String, Optional<T>> parser, Function<T, String> writer) {
    public Optional<T> parse(String text) {
        return parser.apply(text.strip());
    }

    public String write(T value) {
        return writer.apply(value);
    }
}
