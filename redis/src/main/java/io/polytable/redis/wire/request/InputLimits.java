package io.polytable.redis.wire.request;

/** The limits of one connection's input; asked for each request, since CONFIG SET and AUTH change them. */
public interface InputLimits {
    /** A request line, or the first line of anything: larger ones are a mistake or an attack. */
    int LINE_BYTES_MAX = 64 * 1024;

    /** Before a client has said who it is. */
    int STRANGER_WORDS_MAX = 10;

    int STRANGER_WORD_BYTES_MAX = 16384;

    boolean authenticated();

    long wordBytesMax();

    /** Of one request while it is incomplete. */
    long requestBytesMax();
}
