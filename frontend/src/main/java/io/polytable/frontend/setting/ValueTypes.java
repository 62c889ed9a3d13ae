package io.polytable.frontend.setting;

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
public final class ValueTypes {
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern ENDPOINT = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^\\s:,\\[\\]]+):([0-9]{1,5})");
    private static final Map<String, Boolean> BOOLEANS =
            Map.of("true", true, "yes", true, "on", true, "false", false, "no", false, "off", false);
    private static final String AUTO = "auto";

    private ValueTypes() {}

    public static ValueType<Integer> integer(int min, int max) {
        ValueType<Long> number = whole(min, max);
        return new ValueType<>(
                number.takes(), text -> number.parse(text).map(Long::intValue), value -> Integer.toString(value));
    }

    public static ValueType<Long> whole(long min, long max) {
        String range = max == Long.MAX_VALUE ? min + " upwards" : min + " to " + max;
        return new ValueType<>(
                "a whole number from " + range,
                text -> Optional.of(text)
                        .filter(digits -> WHOLE_NUMBER.matcher(digits).matches())
                        .flatMap(ValueTypes::toLong)
                        .filter(number -> number >= min && number <= max),
                value -> Long.toString(value));
    }

    /** A TCP port; 0 lets the operating system choose, which tests rely on. */
    public static ValueType<Integer> port() {
        return new ValueType<>("a port from 0 to 65535", integer(0, 65_535).parser(), port -> Integer.toString(port));
    }

    public static ValueType<Boolean> bool() {
        return new ValueType<>(
                "true or false",
                text -> Optional.ofNullable(BOOLEANS.get(lower(text))),
                value -> Boolean.toString(value));
    }

    /** Empty means {@code auto}: derived from other settings. */
    public static ValueType<Optional<Boolean>> boolOrAuto() {
        ValueType<Boolean> choice = bool();
        return new ValueType<>(
                "auto, or " + choice.takes(),
                text -> {
                    Optional<Boolean> chosen = choice.parse(text);
                    return chosen.isPresent() || lower(text).equals(AUTO) ? Optional.of(chosen) : Optional.empty();
                },
                value -> value.map(choice::write).orElse(AUTO));
    }

    public static ValueType<Long> bytes(long min, long max) {
        String range =
                "from " + ByteSize.show(min) + (max == Long.MAX_VALUE ? " upwards" : " to " + ByteSize.show(max));
        return new ValueType<>(
                "a size such as 256mb, " + range,
                text -> ByteSize.parse(text).filter(size -> size >= min && size <= max),
                ByteSize::show);
    }

    /** Empty means {@code auto}: derived from the machine when the server starts. */
    public static ValueType<OptionalLong> bytesOrAuto(long min, long max) {
        ValueType<Long> size = bytes(min, max);
        return new ValueType<>(
                "auto, or " + size.takes(),
                text -> lower(text).equals(AUTO)
                        ? Optional.of(OptionalLong.empty())
                        : size.parse(text).map(OptionalLong::of),
                value -> value.isPresent() ? size.write(value.getAsLong()) : AUTO);
    }

    public static ValueType<java.time.Duration> duration() {
        return new ValueType<>("a time such as 500ms, 30s, 5m, 12h or 7d", TimeSpan::parse, TimeSpan::show);
    }

    public static ValueType<java.time.Duration> positiveDuration() {
        return new ValueType<>(
                "a time above 0 such as 500ms, 30s, 5m, 12h or 7d",
                text -> TimeSpan.parse(text).filter(time -> !time.isZero()),
                TimeSpan::show);
    }

    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> choices) {
        Map<String, E> byName = Arrays.stream(choices.getEnumConstants())
                .collect(Collectors.toMap(choice -> lower(choice.name()), Function.identity()));
        String names = Arrays.stream(choices.getEnumConstants())
                .map(choice -> lower(choice.name()))
                .collect(Collectors.joining(", "));
        return new ValueType<>(
                "one of " + names, text -> Optional.ofNullable(byName.get(lower(text))), value -> lower(value.name()));
    }

    public static ValueType<InetAddress> address() {
        return new ValueType<>(
                "an address or host name of this machine", ValueTypes::resolve, InetAddress::getHostAddress);
    }

    public static ValueType<Path> path() {
        return new ValueType<>("a path", ValueTypes::toPath, Path::toString);
    }

    public static ValueType<String> text() {
        return new ValueType<>("any text", Optional::of, text -> text);
    }

    /** {@code host:port}, comma separated; none is allowed. */
    public static ValueType<List<String>> endpoints() {
        return new ValueType<>(
                "host:port, several separated by commas", ValueTypes::toEndpoints, list -> String.join(",", list));
    }

    /** One of the texts, in lower case. */
    public static ValueType<String> choice(List<String> choices) {
        return new ValueType<>(
                "one of " + String.join(", ", choices),
                text -> Optional.of(lower(text)).filter(choices::contains),
                text -> text);
    }

    private static Optional<Long> toLong(String digits) {
        try {
            return Optional.of(Long.parseLong(digits));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
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
