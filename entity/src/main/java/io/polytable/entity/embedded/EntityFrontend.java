package io.polytable.entity.embedded;

import io.polytable.cells.store.SharedCells;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.permit.GuardedStore;
import io.polytable.entity.rest.RestService;
import io.polytable.entity.serve.StoreService;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.wire.CallAnswer;
import io.polytable.entity.wire.StoreCall;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.http.RequestGuard.Admission;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Grants;
import io.polytable.frontend.user.Users;
import io.polytable.table.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Entities served over HTTP; the first call opens their cell store. */
final class EntityFrontend implements Frontend {
    private static final String NAME = "entity";

    private static final Metric CALLS =
            new Metric("polytable_entity_calls", "Calls of the entity library and of entity HTTP clients");

    private record Opened(SharedCells.Lease cells, EntityStore store, StoreService service, RestService rest) {
        Bytes answer(Bytes call, Optional<String> user) {
            if (user.isEmpty()) {
                return service.answer(call);
            }
            try {
                return new StoreService(new GuardedStore(store, user.get())).answer(call);
            } catch (EntityException e) {
                return CallAnswer.failed(e);
            }
        }

        HttpReply answer(HttpRequest request, Optional<String> user) {
            if (user.isEmpty()) {
                return rest.answer(request);
            }
            try {
                return new RestService(new GuardedStore(store, user.get())).answer(request);
            } catch (EntityException e) {
                return RestService.refused(e);
            }
        }
    }

    private final Supplier<SharedCells.Lease> opening;
    private final RequestGuard guard;
    private final Users users;
    private final Sessions sessions;
    private final LongAdder calls = new LongAdder();
    private @Nullable Opened opened;
    private boolean closed;

    EntityFrontend(Supplier<SharedCells.Lease> opening, RequestGuard guard, Users users, Sessions sessions) {
        this.users = users;
        this.sessions = sessions;
        this.opening = opening;
        this.guard = guard;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Empty once closed. */
    private synchronized Optional<Opened> opened() {
        if (opened == null && !closed) {
            SharedCells.Lease cells = opening.get();
            CellsEntityStore store = new CellsEntityStore(cells.cells(), () -> {});
            opened = new Opened(cells, store, new StoreService(store), new RestService(store));
        }
        return Optional.ofNullable(opened);
    }

    @Override
    public void answer(HttpRequest call, ReplyStream reply) {
        boolean isCall = call.path().equals(StoreCall.PATH);
        String bodyType = isCall ? StoreCall.CONTENT_TYPE : HttpReply.JSON;
        Admission admission = guard.admit(call, call.body().isEmpty() ? "" : bodyType);
        if (admission instanceof Admission.Refused refused) {
            whole(HttpReply.plain(refused.status(), refused.text()), reply);
            return;
        }
        Principal caller = ((Admission.Admitted) admission).principal();
        Optional<String> user = actingAs(call, caller);
        Optional<HttpReply> refusal = refusal(call, caller, user);
        Optional<Opened> running = refusal.isPresent() ? Optional.empty() : opened();
        if (refusal.isPresent() || running.isEmpty()) {
            whole(refusal.orElseGet(() -> HttpReply.plain(503, "The server is stopping")), reply);
            return;
        }
        Optional<Session> session = sessions.open(NAME, Session.address(call.client()), caller, new Request(call));
        if (session.isEmpty()) {
            whole(HttpReply.plain(503, "Too many sessions are open; try again"), reply);
            return;
        }
        calls.increment();
        try {
            answer(running.get(), call, user, isCall, reply);
        } finally {
            session.get().close();
        }
    }

    /** A request as operators see it. It ends by itself: what it reads and writes is bounded. */
    private record Request(HttpRequest call) implements Session.Client {
        @Override
        public Session.Activity activity() {
            return new Session.Activity(call.method() + " " + call.path(), true);
        }

        @Override
        public void close() {}
    }

    private static void whole(HttpReply text, ReplyStream reply) {
        reply.whole(text.status(), text.contentType(), text.text().getBytes(StandardCharsets.UTF_8));
    }

    /** The user whose permissions count; empty for one who may do everything. A blank name is an error, not "no user". */
    private static Optional<String> actingAs(HttpRequest call, Principal caller) {
        Optional<String> named =
                Optional.ofNullable(call.headers().get(StoreCall.USER_HEADER.toLowerCase(Locale.ROOT)));
        return named.isPresent() || Grants.needsNoGrants(caller) ? named : Optional.of(caller.name());
    }

    private boolean mayActAs(Principal caller, String other) {
        return caller.role() == Principal.Role.SERVICE
                && users.find(other)
                        .filter(found -> found.role().compareTo(caller.role()) < 0)
                        .isPresent();
    }

    private static void answer(
            Opened running, HttpRequest call, Optional<String> user, boolean isCall, ReplyStream reply) {
        if (isCall) {
            Bytes answer = running.answer(call.body(), user);
            reply.whole(200, StoreCall.CONTENT_TYPE, answer.toByteArray());
            return;
        }
        whole(running.answer(call, user), reply);
    }

    private Optional<HttpReply> refusal(HttpRequest call, Principal caller, Optional<String> user) {
        boolean isOther = user.isPresent() && !user.get().equals(caller.name());
        if (isOther && !Grants.needsNoGrants(caller) && !mayActAs(caller, user.get())) {
            return Optional.of(HttpReply.plain(
                    403, "Only users with role service or higher act as another user, of a lower role"));
        }
        // With a repeated parameter only one of two columns would be deleted, or one of two limits respected.
        return call.isRepeated()
                ? Optional.of(HttpReply.plain(400, "A parameter is given more than once"))
                : Optional.empty();
    }

    @Override
    public void sample(MetricSink sink) {
        sink.counter(CALLS, Labels.NONE, calls.doubleValue());
    }

    @Override
    public synchronized void close() {
        closed = true;
        Opened running = opened;
        opened = null;
        if (running != null) {
            running.cells().close();
        }
    }
}
