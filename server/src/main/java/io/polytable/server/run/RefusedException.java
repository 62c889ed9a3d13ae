package io.polytable.server.run;

/** A request that cannot be fulfilled now; the message is one sentence for the user. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String sentence) {
        super(sentence);
    }

    public RefusedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
