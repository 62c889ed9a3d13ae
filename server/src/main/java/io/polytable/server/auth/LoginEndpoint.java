package io.polytable.server.auth;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.PasswordLogins;
import io.polytable.frontend.user.PasswordLogins.Result;
import io.polytable.frontend.user.User;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** The paths below {@link #TREE}: logins and what they issue, as JSON. */
public final class LoginEndpoint {
    public static final String TREE = "/v1/api/auth";

    private static final String BASIC = "Basic ";
    private static final String TOKENS = "/tokens";
    private static final int LABEL_CHARS_MAX = 256;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final RequestGuard guard;
    private final Authentication authentication;
    private final PasswordLogins passwords;

    /** A request that is refused, with its status and sentence. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refusal(int status, String sentence) {
            super(sentence, null, false, false);
            this.status = status;
        }
    }

    /** What a client logs in with. */
    @SuppressWarnings("ArrayRecordComponent") // Passwords are never compared.
    private record Password(String user, byte[] password) {
        @Override
        public String toString() {
            return user;
        }
    }

    public LoginEndpoint(RequestGuard guard, Authentication authentication, PasswordLogins passwords) {
        this.guard = guard;
        this.authentication = authentication;
        this.passwords = passwords;
    }

    /** Answers on the calling thread, which may block on the store. */
    public void answer(HttpRequest request, ReplyStream reply) {
        // What is answered here is for one client only.
        reply.header("Cache-Control", "no-store");
        try {
            whole(reply, 200, routed(request, reply));
        } catch (Refusal refused) {
            whole(reply, refused.status, error(refused));
        } catch (Logins.TooManyException tooMany) {
            whole(reply, 409, error(tooMany));
        } catch (StoreException unavailable) {
            whole(reply, 503, error(new Refusal(503, "the store refused: " + unavailable.error())));
        }
    }

    private static void whole(ReplyStream reply, int status, ObjectNode body) {
        reply.whole(status, HttpReply.JSON, (body + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode error(RuntimeException refused) {
        return JSON.createObjectNode().put("error", refused.getMessage());
    }

    private ObjectNode routed(HttpRequest request, ReplyStream reply) {
        String path = request.path().substring(TREE.length());
        if (request.method() == HttpMethod.POST && path.equals("/login")) {
            return login(request, reply);
        }
        if (request.method() == HttpMethod.POST && path.equals("/refresh")) {
            return refresh(request);
        }
        if (request.method() == HttpMethod.POST && path.equals("/logout")) {
            Actor actor = actor(request, caller(request));
            String token = RequestGuard.bearer(request).orElse("");
            return JSON.createObjectNode().put("ended", authentication.logout(actor, token));
        }
        if (request.method() == HttpMethod.GET && path.equals("/me")) {
            return me(caller(request));
        }
        if (path.equals(TOKENS) || path.startsWith(TOKENS + "/")) {
            return tokens(request, path);
        }
        throw new Refusal(404, "there is nothing at this path for this method");
    }

    // --- logins ----------------------------------------------------------------------------------------------------

    private ObjectNode login(HttpRequest request, ReplyStream reply) {
        refuseForeign(request);
        Password given = request.body().isEmpty() ? basic(request.authorization()) : password(object(request));
        String name = given.user().equals(Principal.ROOT.name()) ? User.DEFAULT : given.user();
        Result result = passwords.login(name, given.password(), "http", request.address());
        if (result instanceof Result.Accepted accepted) {
            return json(
                    authentication.login(accepted.user()).orElseThrow(() -> new Refusal(401, "authentication failed")));
        }
        if (result instanceof Result.TooMany tooMany) {
            long seconds = Math.max(1, tooMany.delay().toSeconds());
            reply.header("Retry-After", Long.toString(seconds));
            throw new Refusal(429, "too many failed logins; try again in " + seconds + " seconds");
        }
        throw new Refusal(401, "authentication failed");
    }

    private void refuseForeign(HttpRequest request) {
        guard.refusal(request, request.body().isEmpty() ? "" : HttpReply.JSON).ifPresent(refused -> {
            throw new Refusal(refused.status(), refused.text());
        });
    }

    private static Password password(ObjectNode body) {
        return new Password(text(body, "user"), text(body, "password").getBytes(StandardCharsets.UTF_8));
    }

    private static Password basic(String authorization) {
        if (!authorization.startsWith(BASIC)) {
            throw new Refusal(400, "the body must be a JSON object with \"user\" and \"password\"");
        }
        try {
            String pair = new String(
                    Base64.getDecoder().decode(authorization.substring(BASIC.length())), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon >= 0) {
                return new Password(
                        pair.substring(0, colon), pair.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException malformed) {
            throw new Refusal(400, "the Authorization header is malformed");
        }
        throw new Refusal(400, "the Authorization header is malformed");
    }

    private ObjectNode refresh(HttpRequest request) {
        refuseForeign(request);
        return authentication
                .refresh(text(object(request), "refresh_token"), request.address())
                .map(LoginEndpoint::json)
                .orElseThrow(() -> new Refusal(401, "the refresh token is not valid; log in again"));
    }

    private static ObjectNode json(Authentication.Issued issued) {
        return JSON.createObjectNode()
                .put("access_token", issued.access())
                .put("refresh_token", issued.refresh())
                .put("token_type", "Bearer")
                .put("expires_in", issued.lasts().toSeconds());
    }

    // --- callers ---------------------------------------------------------------------------------------------------

    private Principal caller(HttpRequest request) {
        RequestGuard.Admission admission = guard.admit(request, request.body().isEmpty() ? "" : HttpReply.JSON);
        if (admission instanceof RequestGuard.Admission.Refused refused) {
            throw new Refusal(refused.status(), refused.text());
        }
        return ((RequestGuard.Admission.Admitted) admission).principal();
    }

    private static Actor actor(HttpRequest request, Principal caller) {
        return new Actor(caller.name(), "http", request.address());
    }

    private static ObjectNode me(Principal caller) {
        return JSON.createObjectNode()
                .put("user", caller.name())
                .put("role", caller.role().name().toLowerCase(Locale.ROOT));
    }

    // --- service tokens --------------------------------------------------------------------------------------------

    private ObjectNode tokens(HttpRequest request, String path) {
        Principal caller = caller(request);
        if (caller.role().compareTo(Role.SERVICE) < 0) {
            throw new Refusal(403, "service tokens are for users with role service or higher");
        }
        String user = caller.equals(Principal.ROOT) ? User.DEFAULT : caller.name();
        return switch (request.method()) {
            case POST -> issue(request, actor(request, caller), user);
            case GET -> list(user);
            case DELETE ->
                revoke(actor(request, caller), user, path.substring(Math.min(path.length(), TOKENS.length() + 1)));
            case PUT -> throw new Refusal(405, "the path takes another method");
        };
    }

    /** With a body, whose type keeps pages of other sites from asking for a token where no password is needed. */
    private ObjectNode issue(HttpRequest request, Actor actor, String user) {
        String label = text(object(request), "label");
        if (label.length() > LABEL_CHARS_MAX) {
            throw new Refusal(400, "a label has at most " + LABEL_CHARS_MAX + " characters");
        }
        Logins.IssuedToken issued = authentication.issueToken(actor, user, label);
        return JSON.createObjectNode().put("id", issued.login().id()).put("token", issued.text());
    }

    private ObjectNode list(String user) {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode list = body.putArray("tokens");
        for (Login token : authentication.tokens(user)) {
            list.addObject()
                    .put("id", token.id())
                    .put("label", token.label())
                    .put("created_at", token.created().toString());
        }
        return body;
    }

    private ObjectNode revoke(Actor actor, String user, String id) {
        if (!authentication.revokeToken(actor, user, id)) {
            throw new Refusal(404, "you have no such service token");
        }
        return JSON.createObjectNode().put("revoked", id);
    }

    // --- bodies ----------------------------------------------------------------------------------------------------

    private static ObjectNode object(HttpRequest request) {
        Bytes body = request.body();
        try {
            return Optional.ofNullable(JSON.readTree(body.array(), body.offset(), body.length()))
                    .filter(ObjectNode.class::isInstance)
                    .map(ObjectNode.class::cast)
                    .orElseThrow(() -> new Refusal(400, "the body must be a JSON object"));
        } catch (IOException malformed) {
            throw new Refusal(400, "the body is not JSON");
        }
    }

    private static String text(ObjectNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual()) {
            throw new Refusal(400, "the body must be a JSON object with the field \"" + field + "\"");
        }
        return value.asText();
    }
}
