package io.polytable.redis.command;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisError.Code;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Locale;

// Shared errors are safe: they have no stack trace.
/** The errors of calls that were rejected or failed, with Redis' texts. */
@SuppressWarnings("StaticAssignmentOfThrowable")
public final class CommandErrors {
    public static final RedisError NOAUTH = new RedisError(Code.NOAUTH, "Authentication required.");
    public static final RedisError INTERNAL = new RedisError("internal error, see the server's log");
    public static final RedisError NO_MEMORY =
            new RedisError(Code.OOM, "command not allowed when used memory > 'maxmemory'.");

    public static final RedisError CROSSSLOT =
            new RedisError(Code.CROSSSLOT, "Keys in request don't hash to the same slot");

    public static final RedisError NOT_IN_MULTI = new RedisError("Command not allowed inside a transaction");
    public static final RedisError QUEUE_FULL =
            new RedisError(Code.OOM, "what was queued since MULTI is more than client-query-buffer-limit allows");

    public static final RedisError TOO_MUCH_INPUT = new RedisError(
            Code.OOM, "all clients together hold more input than maxmemory-clients, or the heap, allows");

    public static final RedisError BUSY = new RedisError("too many long commands wait already, try again later");

    public static final RedisError READ_ONLY =
            new RedisError(Code.READONLY, "You can't write against a read only replica.");
    public static final RedisError SCRIPT_READ_ONLY =
            new RedisError(Code.READONLY, "Can not run script with write flag on readonly replica.");
    public static final RedisError NO_REPLICAS = new RedisError(Code.NOREPLICAS, "Not enough good replicas to write.");
    public static final RedisError STALE =
            new RedisError(Code.MASTERDOWN, "Link with MASTER is down and replica-serve-stale-data is set to 'no'.");
    public static final RedisError LOADING = new RedisError(Code.LOADING, "Redis is loading the dataset in memory");

    /** How much of a client's words an error text quotes. */
    private static final int QUOTED_CHARS_MAX = 128;

    private CommandErrors() {}

    public static RedisError unknownCommand(Call call) {
        StringBuilder args = new StringBuilder();
        for (int i = 1; i < call.size() && args.length() < QUOTED_CHARS_MAX; i++) {
            String quoted = head(call.text(i), QUOTED_CHARS_MAX - args.length());
            args.append('\'').append(quoted).append("' ");
        }
        return new RedisError(
                "unknown command '" + head(call.text(0), QUOTED_CHARS_MAX) + "', with args beginning with: " + args);
    }

    /**
     * Whether this is an HTTP request: cross-protocol attack by a browser, whose later lines must not run as commands.
     */
    public static boolean isHttp(Call call) {
        return call.is(0, "post") || call.is(0, "host:");
    }

    public static RedisError unknownSubcommand(Call call) {
        return new RedisError("unknown subcommand '" + head(call.text(1), QUOTED_CHARS_MAX) + "'. Try "
                + call.text(0).toUpperCase(Locale.ROOT) + " HELP.");
    }

    /** The subcommand exists, but not with this number of words. */
    public static RedisError subcommandSyntax(Call call) {
        return new RedisError("unknown subcommand or wrong number of arguments for '"
                + head(call.text(1), QUOTED_CHARS_MAX) + "'. Try "
                + call.text(0).toUpperCase(Locale.ROOT) + " HELP.");
    }

    /** Redis' text for a command that the configuration disables; modules are always disabled. */
    public static RedisError notAllowed(String command) {
        return new RedisError(command + " command not allowed. If the enable-" + command.toLowerCase(Locale.ROOT)
                + "-command option is set to \"local\", you can run it from a local connection, otherwise you need to "
                + "set this option in the configuration file, and then restart the server.");
    }

    private static String head(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max);
    }

    public static RedisError of(StoreException failed) {
        if (failed.error() == StoreError.TOO_LARGE) {
            return new RedisError("string exceeds maximum allowed size (proto-max-bulk-len)");
        }
        if (failed.error() == StoreError.CROSS_PARTITION) {
            return CROSSSLOT;
        }
        Code code = failed.error() == StoreError.NO_ROOM ? Code.MISCONF : Code.ERR;
        return new RedisError(code, String.valueOf(failed.getMessage()));
    }
}
