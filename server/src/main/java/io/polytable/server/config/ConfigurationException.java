package io.polytable.server.config;

/** A setting that cannot be taken; the message is the one sentence its author reads. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigurationException(String sentence) {
        super(sentence);
    }
}
