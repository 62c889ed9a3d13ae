package io.polytable.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The types of settings. */
final class ValueTypes {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,10}");
    private static final Pattern ENDPOINT = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^\\s:,\\[\\]]+):([0-9]{1,5})");
    private static final Map<String, Boolean> BOOLEANS =
            Map.of("true", true, "yes", true, "on", true, "false", false, "no", false, "off", false);
    private static final String AUTO = "auto";

    private ValueTypes() {}

    static ValueType<Integer> integer(int min, int max) {
        return new ValueType<>(
                "a whole number from " + min + " to " + max,
                text -> Optional.of(text)
                        .filter(digits -> WHOLE_NUMBER.matcher(digits).matches())
                        .map(Long::parseLong)
                        .filter(number -> number >= min && number <= max)
                        .map(Long::intValue));
    }

    /** A TCP port; 0 lets the operating system choose, which tests rely on. */
    static ValueType<Integer> port() {
        return new ValueType<>("a port from 0 to 65535", integer(0, 65_535).parser());
    }

    static ValueType<Boolean> bool() {
        return new ValueType<>("true or false", text -> Optional.ofNullable(BOOLEANS.get(lower(text))));
    }

    /** Empty means {@code auto}: derived from other settings. */
    static ValueType<Optional<Boolean>> boolOrAuto() {
        ValueType<Boolean> choice = bool();
        return new ValueType<>("auto, or " + choice.takes(), text -> {
            Optional<Boolean> chosen = choice.parse(text);
            return chosen.isPresent() || lower(text).equals(AUTO) ? Optional.of(chosen) : Optional.empty();
        });
    }

    static ValueType<Long> bytes(long min, long max) {
        String range = "from " + ByteSize.show(min) + " to " + ByteSize.show(max);
        return new ValueType<>(
                "a size such as 256mb, " + range,
                text -> ByteSize.parse(text).filter(size -> size >= min && size <= max));
    }

    /** Empty means {@code auto}: derived from the machine when the server starts. */
    static ValueType<OptionalLong> bytesOrAuto(long min, long max) {
        ValueType<Long> size = bytes(min, max);
        return new ValueType<>(
                "auto, or " + size.takes(),
                text -> lower(text).equals(AUTO)
                        ? Optional.of(OptionalLong.empty())
                        : size.parse(text).map(OptionalLong::of));
    }

    static ValueType<java.time.Duration> duration() {
        return new ValueType<>("a time such as 500ms, 30s, 5m, 12h or 7d", TimeSpan::parse);
    }

    static ValueType<java.time.Duration> positiveDuration() {
        return new ValueType<>(
                "a time above 0 such as 500ms, 30s, 5m, 12h or 7d",
                text -> TimeSpan.parse(text).filter(time -> !time.isZero()));
    }

    static <E extends Enum<E>> ValueType<E> oneOf(Class<E> choices) {
        Map<String, E> byName = Arrays.stream(choices.getEnumConstants())
                .collect(Collectors.toMap(choice -> lower(choice.name()), Function.identity()));
        String names = Arrays.stream(choices.getEnumConstants())
                .map(choice -> lower(choice.name()))
                .collect(Collectors.joining(", "));
        return new ValueType<>("one of " + names, text -> Optional.ofNullable(byName.get(lower(text))));
    }

    static ValueType<InetAddress> address() {
        return new ValueType<>("an address or host name of this machine", ValueTypes::resolve);
    }

    static ValueType<Path> path() {
        return new ValueType<>("a path", ValueTypes::toPath);
    }

    static ValueType<String> text() {
        return new ValueType<>("any text", Optional::of);
    }

    /** {@code host:port}, comma separated; none is allowed. */
    static ValueType<List<String>> endpoints() {
        return new ValueType<>("host:port, several separated by commas", ValueTypes::toEndpoints);
    }

    private static Optional<InetAddress> resolve(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Path> toPath(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }

    private static Optional<List<String>> toEndpoints(String text) {
        if (text.isEmpty()) {
            return Optional.of(List.of());
        }
        List<String> endpoints =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        return endpoints.stream().allMatch(ValueTypes::isEndpoint) ? Optional.of(endpoints) : Optional.empty();
    }

    private static boolean isEndpoint(String text) {
        Matcher matcher = ENDPOINT.matcher(text);
        return matcher.matches() && Integer.parseInt(matcher.group(2)) <= 65_535;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
