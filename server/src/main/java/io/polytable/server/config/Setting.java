package io.polytable.server.config;

/** A key, its text, and where that was given. */
public record Setting(Key<?> key, String text, Origin origin) {
    private static final String MASK = "(hidden)";

    /** The text as it may be printed. */
    public String shown() {
        return key.secret() && !text.isEmpty() ? MASK : text;
    }

    boolean isValid() {
        return key.type().parse(text).isPresent();
    }
}
