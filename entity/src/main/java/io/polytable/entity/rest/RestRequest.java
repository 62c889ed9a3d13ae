package io.polytable.entity.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.frontend.http.HttpRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A request for entities: its parameters and its body, checked. */
record RestRequest(HttpRequest http) {
    String method() {
        return http.method().name();
    }

    /** Below the service's own. */
    String path() {
        return http.path().substring(RestService.PATH.length());
    }

    /** Refuses unknown parameters: a delete with a misspelt {@code columns} would delete the entity. */
    RestRequest with(Set<String> known) {
        for (String name : http.parameters().keySet()) {
            if (!known.contains(name)) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "The request has no such parameter", Map.of("parameter", name));
            }
        }
        return this;
    }

    Optional<String> parameter(String name) {
        return http.parameter(name);
    }

    boolean flag(String name) {
        return parameter(name).map(text -> !text.equals("false")).orElse(false);
    }

    /** A number that is not negative. */
    long number(String name, long otherwise, long max) {
        Optional<String> text = parameter(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (text.get().matches("[0-9]{1,18}") && Long.parseLong(text.get()) <= max) {
            return Long.parseLong(text.get());
        }
        throw new EntityException(
                EntityError.BAD_REQUEST, "Not a number, or too large", Map.of("parameter", name, "max", max));
    }

    JsonNode json() {
        return json(http.body().utf8());
    }

    static JsonNode json(String text) {
        try {
            JsonNode node = RestJson.MAPPER.readTree(text);
            if (!node.isMissingNode()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            throw new EntityException(EntityError.BAD_REQUEST, "The body is not JSON", Map.of(), e);
        }
        throw new EntityException(EntityError.BAD_REQUEST, "The request needs a body of JSON");
    }
}
