package io.polytable.frontend.setting;

/** A setting that cannot have the given value; the message is one sentence for the user. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SettingException(String sentence) {
        super(sentence);
    }
}
