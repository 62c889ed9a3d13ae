package io.polytable.frontend.setting;

/** The current value of a setting: one volatile read, for code that cannot afford a lookup on each use. */
public final class LiveValue<T> {
    private final Setting<T> setting;
    private volatile Held<T> held;

    private record Held<T>(T value, Given given) {}

    LiveValue(Setting<T> setting, Given given) {
        this.setting = setting;
        held = parse(given);
    }

    public T get() {
        return held.value;
    }

    Given given() {
        return held.given;
    }

    void take(Given given) {
        held = parse(given);
    }

    private Held<T> parse(Given given) {
        return new Held<>(setting.type().parse(given.text()).orElseThrow(given::refusal), given);
    }
}
