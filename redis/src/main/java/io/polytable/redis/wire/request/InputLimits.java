package io.polytable.redis.wire.request;

/** The limits on one connection's input; read for each request, since CONFIG SET and AUTH change them. */
public interface InputLimits {
    /** For an inline request, or any header line: longer ones are a mistake or an attack. */
    int LINE_BYTES_MAX = 64 * 1024;

    /** Before authentication. */
    int STRANGER_WORDS_MAX = 10;

    int STRANGER_WORD_BYTES_MAX = 16384;

    boolean authenticated();

    long wordBytesMax();

    /** For one incomplete request. */
    long requestBytesMax();
}
