package io.polytable.server.http;

/** The methods that routes are declared for. HEAD is answered by GET's route, without its body. */
public enum HttpMethod {
    GET,
    POST,
    PUT,
    DELETE
}
