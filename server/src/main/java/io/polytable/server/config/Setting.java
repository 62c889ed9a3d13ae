package io.polytable.server.config;

/** A key, the text it was given, and where. */
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
