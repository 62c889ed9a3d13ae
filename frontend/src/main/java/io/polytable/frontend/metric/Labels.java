package io.polytable.frontend.metric;

import java.util.List;

/** The labels of a metric: names and values. */
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
