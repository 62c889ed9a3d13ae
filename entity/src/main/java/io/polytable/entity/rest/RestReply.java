package io.polytable.entity.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;

/** An HTTP status and JSON. */
public record RestReply(int status, String json) {
    public static final String CONTENT_TYPE = "application/json";

    static RestReply ok(JsonNode json) {
        return new RestReply(200, json.toString());
    }

    /** The answer to a request that was refused. */
    public static RestReply refused(EntityException failure) {
        var json = RestJson.MAPPER.createObjectNode();
        json.put("error", failure.error().name());
        json.put("message", String.valueOf(failure.getMessage()));
        json.put("retryable", failure.error().retryable());
        return new RestReply(status(failure.error()), json.toString());
    }

    private static int status(EntityError error) {
        return switch (error) {
            case NO_SUCH_INSTANCE, NO_SUCH_TABLE, NO_SUCH_COLUMN -> 404;
            case INSTANCE_EXISTS, TABLE_EXISTS, LAYOUT_CONFLICT -> 409;
            case DENIED -> 403;
            case TOO_LARGE -> 413;
            case NOT_CAPABLE -> 501;
            case STALE_LAYOUT, UNREACHABLE, CLOSED -> 503;
            case UNKNOWN_OUTCOME, STORE_FAILED -> 500;
            case BAD_URI, BAD_NAME, BAD_LAYOUT, BAD_ENTITY_ID, BAD_REQUEST, BAD_VALUE -> 400;
            case INCOMPATIBLE_SCHEMA, UNKNOWN_SCHEMA -> 400;
        };
    }
}
