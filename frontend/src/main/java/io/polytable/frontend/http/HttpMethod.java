package io.polytable.frontend.http;

/** The methods of routes. GET's route also answers HEAD, without a body. */
public enum HttpMethod {
    GET,
    POST,
    PUT,
    DELETE
}
