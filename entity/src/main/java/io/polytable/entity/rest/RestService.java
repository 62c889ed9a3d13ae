package io.polytable.entity.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.entity.Instance;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Answers HTTP requests for a store's entities. Thread safe. */
public final class RestService {
    /** The prefix of all paths. */
    public static final String PATH = "/entity/v1";

    /** Instances are shown under this store's name; how clients call the server is not known here. */
    private static final EntityUri HERE = EntityUri.remote(StoreKind.SERVER, List.of("localhost"), 8080);

    private final EntityStore store;

    /** @param store is not closed by this service */
    public RestService(EntityStore store) {
        this.store = store;
    }

    public HttpReply answer(HttpRequest request) {
        try {
            return reply(200, answered(new RestRequest(request)));
        } catch (EntityException e) {
            return refused(e);
        }
    }

    private static HttpReply reply(int status, JsonNode json) {
        return new HttpReply(status, HttpReply.JSON, json.toString());
    }

    /** The reply to a request that was refused. */
    public static HttpReply refused(EntityException failure) {
        var json = RestJson.MAPPER.createObjectNode();
        json.put("error", failure.error().name());
        json.put("message", String.valueOf(failure.getMessage()));
        json.put("retryable", failure.error().retryable());
        return reply(status(failure.error()), json);
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

    private JsonNode answered(RestRequest request) {
        List<String> parts = Arrays.stream(request.path().split("/", -1))
                .filter(part -> !part.isEmpty())
                .toList();
        boolean isKnown = !parts.isEmpty() && parts.get(0).equals("instances");
        if (!isKnown || (parts.size() > 2 && !parts.get(2).equals("tables")) || parts.size() > 5) {
            throw unknown(request);
        }
        if (parts.size() < 5) {
            boolean isUpdate = parts.size() == 4 && request.method().equals("PUT");
            request.with(isUpdate ? Set.of("dry_run") : Set.of());
        }
        return switch (parts.size()) {
            case 1 -> RestLayouts.instances(store, request);
            case 2 -> RestLayouts.instance(store, parts.get(1), request, this::in);
            case 3 -> in(parts.get(1), instance -> RestLayouts.tables(instance, request));
            case 4 -> in(parts.get(1), instance -> RestLayouts.table(instance, parts.get(3), request));
            default ->
                in(parts.get(1), instance -> switch (parts.get(4)) {
                    case "layouts" -> RestLayouts.history(instance, parts.get(3), request.with(Set.of("limit")));
                    case "rows" -> RestRows.answer(instance.table(parts.get(3)), request);
                    default -> throw unknown(request);
                });
        };
    }

    /** A fresh handle of the instance. It is not closed, since that would close the store. */
    private JsonNode in(String name, Function<Instance, JsonNode> work) {
        return work.apply(Instance.open(HERE.withInstance(name), store));
    }

    static EntityException unknown(RestRequest request) {
        return new EntityException(
                EntityError.BAD_REQUEST,
                "No such path, or not with this method",
                Map.of("method", request.method(), "path", PATH + request.path()));
    }
}
