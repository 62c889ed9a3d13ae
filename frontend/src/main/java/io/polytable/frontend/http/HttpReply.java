package io.polytable.frontend.http;

/** A reply: a status and a text. */
public record HttpReply(int status, String contentType, String text) {
    public static final String PLAIN = "text/plain; charset=utf-8";

    public static final String JSON = "application/json";

    public static HttpReply ok(String text) {
        return plain(200, text);
    }

    /** One line of plain text, as for every error. */
    public static HttpReply plain(int status, String text) {
        return new HttpReply(status, PLAIN, text + "\n");
    }
}
