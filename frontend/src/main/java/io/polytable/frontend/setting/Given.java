package io.polytable.frontend.setting;

/** The text of a setting's value, and where it was given. */
public record Given(Setting<?> setting, String text, Origin origin) {
    private static final String MASK = "(hidden)";

    static Given byDefault(Setting<?> setting) {
        return new Given(setting, setting.defaultText(), new Origin.Default());
    }

    /** The text as it may be printed. */
    public String shown() {
        return setting.isSecret() && !text.isEmpty() ? MASK : text;
    }

    SettingException refusal() {
        return new SettingException(setting.name() + " cannot be \"" + shown() + "\" (from " + origin.describe()
                + "): it takes " + setting.type().takes());
    }
}
