package io.polytable.server.config;

/** An invalid setting; the message is one sentence for the user. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigurationException(String sentence) {
        super(sentence);
    }
}
