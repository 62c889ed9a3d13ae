package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Category.DANGEROUS;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.reads;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.ALLOW_BUSY;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.NO_ASYNC_LOADING;
import static io.polytable.redis.command.Flag.NO_MULTI;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** TIME, SAVE, SHUTDOWN, MONITOR, MODULE and other commands about the server. */
public final class ServerCommands implements CommandFamily {
    private static final Set<String> SHUTDOWN_OPTIONS = Set.of("SAVE", "NOSAVE", "NOW", "FORCE", "ABORT");

    private static final Flag[] SAVES = {ADMIN, NOSCRIPT, NO_ASYNC_LOADING};
    private static final String VARIES = "nondeterministic_output";

    private final Node node;

    public ServerCommands(Node node) {
        this.node = node;
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("bgrewriteaof", exactly(1), this::rewriteLog).with(SAVES),
                speaks("bgsave", atLeast(1), this::saveInBackground).with(SAVES),
                speaks("lastsave", exactly(1), call -> Reply.of(node.saves().lastMillis() / 1000))
                        .with(LOADING, STALE, FAST)
                        .in(Category.ADMIN, DANGEROUS)
                        .tips(VARIES),
                reads("lolwut", atLeast(1), KeySpecs.NONE, this::lolwut).with(FAST),
                container(
                        "module",
                        List.of(
                                speaks("help", exactly(2), this::moduleHelp).with(LOADING, STALE),
                                speaks("list", exactly(2), call -> Reply.EMPTY)
                                        .with(ADMIN, NOSCRIPT)
                                        .tips("nondeterministic_output_order"),
                                speaks("load", atLeast(3), this::noModules).with(SAVES),
                                speaks("loadex", atLeast(3), this::noModules).with(SAVES),
                                speaks("unload", exactly(3), this::noModules).with(SAVES))),
                speaks("monitor", exactly(1), this::monitor).with(ADMIN, NOSCRIPT, LOADING, STALE),
                speaks("save", exactly(1), this::save).with(SAVES).with(NO_MULTI),
                speaks("shutdown", atLeast(1), this::shutdown)
                        .with(ADMIN, NOSCRIPT, LOADING, STALE, NO_MULTI, ALLOW_BUSY),
                speaks("time", exactly(1), this::time)
                        .with(LOADING, STALE, FAST)
                        .tips(VARIES));
    }

    private Reply time(Call call) {
        java.time.Instant now = node.clock().instant();
        return Reply.many(Reply.of(Long.toString(now.getEpochSecond())), Reply.of(Long.toString(now.getNano() / 1000)));
    }

    private Reply monitor(Call call) {
        if (call.session().transaction().isOpen()) {
            throw new RedisError("MONITOR isn't allowed for DENY BLOCKING client");
        }
        return node.monitors().add(call.session()) ? Reply.OK : new Reply.NoReply();
    }

    private Reply save(Call call) {
        return new Reply.Later(node.saves().start().handle(ServerCommands::saved));
    }

    private static Reply saved(Void unused, @Nullable Throwable failure) {
        return failure instanceof RedisError refused ? Reply.error(refused) : Reply.OK;
    }

    private Reply saveInBackground(Call call) {
        if (call.size() > 2 || (call.size() == 2 && !call.is(1, "SCHEDULE"))) {
            throw RedisError.SYNTAX;
        }
        // LASTSAVE and INFO report how it ended, as in Redis.
        CompletableFuture<Void> unused = node.saves().start();
        return Reply.simple("Background saving started");
    }

    private Reply rewriteLog(Call call) {
        // The log is truncated as its rows reach the state: there is nothing to rewrite.
        return Reply.simple("Background append only file rewriting started");
    }

    private Reply shutdown(Call call) {
        Set<String> options = new HashSet<>();
        for (int i = 1; i < call.size(); i++) {
            options.add(call.text(i).toUpperCase(Locale.ROOT));
        }
        boolean aborts = options.contains("ABORT");
        if (!SHUTDOWN_OPTIONS.containsAll(options)
                || options.containsAll(List.of("SAVE", "NOSAVE"))
                || (aborts && options.size() > 1)) {
            throw RedisError.SYNTAX;
        }
        if (aborts) {
            throw new RedisError("No shutdown in progress.");
        }
        boolean saves = options.contains("SAVE")
                || (!options.contains("NOSAVE") && !node.settings().savePoints().isEmpty());
        CompletableFuture<?> caughtUp = CompletableFuture.completedFuture(true);
        if (!options.contains("NOW")) {
            caughtUp = node.replication().awaitAll(node.settings().shutdownMillis());
        }
        return new Reply.Later(caughtUp.thenCompose(
                        reached -> saves ? node.saves().startNext() : CompletableFuture.completedFuture(null))
                .handle((none, failure) -> stop(failure != null && !options.contains("FORCE"))));
    }

    private Reply stop(boolean isRefused) {
        if (isRefused || !node.stop()) {
            return Reply.error(new RedisError("Errors trying to SHUTDOWN. Check logs."));
        }
        return new Reply.NoReply();
    }

    private Reply noModules(Call call) {
        throw CommandErrors.notAllowed("MODULE");
    }

    private Reply lolwut(Call call) {
        if (call.size() > 2 && call.is(1, "VERSION")) {
            long unusedVersion = call.integer(2);
        }
        return new Reply.Verbatim("txt", Bytes.utf8("Redis ver. " + Node.VERSION + "\n"));
    }

    private Reply moduleHelp(Call call) {
        return HelpText.of(call);
    }
}
