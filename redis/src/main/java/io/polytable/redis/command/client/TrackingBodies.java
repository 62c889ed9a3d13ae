package io.polytable.redis.command.client;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The subcommands of CLIENT about client-side caching: TRACKING, CACHING, TRACKINGINFO, GETREDIR. */
final class TrackingBodies {
    private static final String REOPEN =
            " before disabling tracking for this client, and then re-enabling it with a different mode.";

    private final Node node;

    TrackingBodies(Node node) {
        this.node = node;
    }

    Reply tracking(Call call) {
        TrackingOptions options = TrackingOptions.read(call, node.clients()::find);
        if (call.is(2, "on")) {
            PushState.Tracking before = call.session().pushState().tracking();
            check(options, before);
            node.tracking().enable(call.session(), options.mode(prefixes(options, before)));
        } else if (call.is(2, "off")) {
            node.tracking().disable(call.session());
        } else {
            throw RedisError.SYNTAX;
        }
        return Reply.OK;
    }

    private static void check(TrackingOptions options, PushState.@Nullable Tracking before) {
        if (!options.broadcast() && !options.prefixes().isEmpty()) {
            throw new RedisError("PREFIX option requires BCAST mode to be enabled");
        }
        if (before != null && before.broadcast() != options.broadcast()) {
            throw new RedisError("You can't switch BCAST mode on/off" + REOPEN);
        }
        if (options.broadcast() && (options.optIn() || options.optOut())) {
            throw new RedisError("OPTIN and OPTOUT are not compatible with BCAST");
        }
        if (options.optIn() && options.optOut()) {
            throw new RedisError("You can't specify both OPTIN mode and OPTOUT mode");
        }
        if (before != null && ((options.optIn() && before.optOut()) || (options.optOut() && before.optIn()))) {
            throw new RedisError("You can't switch OPTIN/OPTOUT mode" + REOPEN);
        }
    }

    /** The existing prefixes and the new ones, which must not overlap. */
    private static SortedSet<Bytes> prefixes(TrackingOptions options, PushState.@Nullable Tracking before) {
        SortedSet<Bytes> all = new TreeSet<>();
        if (!options.broadcast()) {
            return all;
        }
        if (before != null) {
            all.addAll(before.prefixes());
        }
        List<Bytes> added = options.prefixes();
        for (int i = 0; i < added.size(); i++) {
            refuseOverlap(added.get(i), all, "an existing prefix");
            refuseOverlap(added.get(i), added.subList(i + 1, added.size()), "another provided prefix");
        }
        added.forEach(prefix -> all.add(prefix.copy()));
        if (added.isEmpty()) {
            all.add(Bytes.EMPTY);
        }
        return all;
    }

    private static void refuseOverlap(Bytes prefix, Iterable<Bytes> others, String what) {
        for (Bytes other : others) {
            if (prefix.startsWith(other) || other.startsWith(prefix)) {
                throw new RedisError("Prefix '" + text(prefix) + "' overlaps with " + what + " '" + text(other)
                        + "'. Prefixes for a single client must not overlap.");
            }
        }
    }

    private static String text(Bytes bytes) {
        return new String(bytes.toByteArray(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    Reply caching(Call call) {
        PushState pushState = call.session().pushState();
        PushState.Tracking mode = pushState.tracking();
        if (mode == null) {
            throw new RedisError(
                    "CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT "
                            + "mode enabled");
        }
        boolean yes = call.is(2, "yes");
        if (!yes && !call.is(2, "no")) {
            throw RedisError.SYNTAX;
        }
        if (yes && !mode.optIn()) {
            throw new RedisError("CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
        }
        if (!yes && !mode.optOut()) {
            throw new RedisError("CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
        }
        pushState.caching(true);
        return Reply.OK;
    }

    Reply redirect(Call call) {
        PushState.Tracking mode = call.session().pushState().tracking();
        return Reply.of(mode == null ? -1 : mode.redirect());
    }

    Reply describe(Call call) {
        PushState pushState = call.session().pushState();
        PushState.Tracking mode = pushState.tracking();
        List<Reply> flags = new ArrayList<>();
        if (mode == null) {
            flags.add(Reply.of("off"));
        } else {
            flags.add(Reply.of("on"));
            addIf(mode.broadcast(), "bcast", flags);
            addIf(mode.optIn(), "optin", flags);
            addIf(mode.optIn() && pushState.caching(), "caching-yes", flags);
            addIf(mode.optOut(), "optout", flags);
            addIf(mode.optOut() && pushState.caching(), "caching-no", flags);
            addIf(mode.noLoop(), "noloop", flags);
            addIf(pushState.redirectBroken(), "broken_redirect", flags);
        }
        return Reply.mapOf(
                Reply.of("flags"),
                new Reply.SetOf(flags),
                Reply.of("redirect"),
                redirect(call),
                Reply.of("prefixes"),
                mode == null ? Reply.EMPTY : Reply.bulks(List.copyOf(mode.prefixes())));
    }

    private static void addIf(boolean said, String flag, List<Reply> flags) {
        if (said) {
            flags.add(Reply.of(flag));
        }
    }
}
