package io.polytable.server.metrics;

import java.util.List;

/** Which of several the number is about: names, and a value each. */
public record Labels(List<String> names, List<String> values) {
    public static final Labels NONE = new Labels(List.of(), List.of());

    public Labels {
        names = List.copyOf(names);
        values = List.copyOf(values);
    }

    public static Labels of(String name, String value) {
        return new Labels(List.of(name), List.of(value));
    }

    public static Labels of(String name, String value, String otherName, String otherValue) {
        return new Labels(List.of(name, otherName), List.of(value, otherValue));
    }
}
