package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/** Checks each call against what its user may do, and logs what it denies. */
final class AccessGuard {
    private final Node node;

    AccessGuard(Node node) {
        this.node = node;
    }

    /** The error of a call that its client's user may not make, or null. */
    @Nullable
    RedisError refusal(Call call) {
        Permissions permissions = call.session().account().permissions();
        if (permissions.isUnrestricted()) {
            return null;
        }
        Denial denial = denial(call, call.session(), Denial.Context.of(call.session()));
        return denial == null
                ? null
                : new RedisError(Code.NOPERM, denial.text(call.session().user(), call));
    }

    /** The error of a call inside EXEC: the permissions may have changed since it was queued. */
    @Nullable
    RedisError queuedRefusal(Call call) {
        Denial denial = denial(call, call.session(), Denial.Context.MULTI);
        return denial == null
                ? null
                : new RedisError(
                        Code.NOPERM,
                        "ACLs rules changed between the moment the transaction was accumulated and the EXEC call. This "
                                + "command is no longer allowed for the following reason: "
                                + reason(denial.kind()));
    }

    private static String reason(Denial.Kind kind) {
        return switch (kind) {
            case COMMAND -> "no permission to execute the command or subcommand";
            case KEY -> "no permission to touch the specified keys";
            case CHANNEL -> "no permission to access one of the channels used as arguments to the command";
            case AUTH -> "no permission";
        };
    }

    /** The error of a call that a script makes for this session. */
    @Nullable
    RedisError scriptRefusal(Call call, Session caller) {
        Denial denial = denial(call, caller, Denial.Context.LUA);
        return denial == null ? null : new RedisError("ACL failure in script: " + denial.text(caller.user(), call));
    }

    private @Nullable Denial denial(Call call, Session session, Denial.Context context) {
        Permissions permissions = session.account().permissions();
        Denial denial = permissions.isUnrestricted() ? null : permissions.denial(call);
        if (denial != null) {
            node.aclLog().add(session, denial.kind(), context, Bytes.utf8(session.user()), call, denial.position());
        }
        return denial;
    }
}
