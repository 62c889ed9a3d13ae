package io.polytable.redis.command.pubsub;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.FAST;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.MAY_REPLICATE;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.PUBSUB;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.KeyFlag;
import io.polytable.redis.command.KeySpecs;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.model.Glob;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** SUBSCRIBE, PUBLISH and their variants, and PUBSUB. */
public final class PubSubCommands implements CommandFamily {
    private static final Flag[] SUBSCRIBES = {PUBSUB, NOSCRIPT, LOADING, STALE};
    private static final Flag[] PUBLISHES = {PUBSUB, LOADING, STALE, FAST, MAY_REPLICATE};
    private static final Flag[] LOOKS = {PUBSUB, LOADING, STALE};
    private static final KeySpecs SHARDS = KeySpecs.range(1, -1, 1).as(KeyFlag.NOT_KEY);
    private static final KeySpecs SHARD = KeySpecs.FIRST.as(KeyFlag.NOT_KEY);

    private final PubSub pubSub;
    private final Consumer<List<Bytes>> replicas;

    /** @param replicas receives the commands that publish, after their effect here */
    public PubSubCommands(PubSub pubSub, Consumer<List<Bytes>> replicas) {
        this.pubSub = pubSub;
        this.replicas = replicas;
    }

    @Override
    public Group group() {
        return Group.PUBSUB;
    }

    @Override
    public List<Command> commands() {
        return List.of(
                speaks("psubscribe", atLeast(2), call -> subscribe(call, Kind.PATTERN))
                        .with(SUBSCRIBES),
                speaks("publish", exactly(3), this::publish).with(PUBLISHES),
                container(
                        "pubsub",
                        List.of(
                                speaks("channels", atLeast(2), call -> names(call, Kind.CHANNEL))
                                        .with(LOOKS),
                                speaks("help", exactly(2), HelpText::of).with(LOADING, STALE),
                                speaks("numpat", exactly(2), this::patternCount).with(LOOKS),
                                speaks("numsub", atLeast(2), call -> counts(call, Kind.CHANNEL))
                                        .with(LOOKS),
                                speaks("shardchannels", atLeast(2), call -> names(call, Kind.SHARD))
                                        .with(LOOKS),
                                speaks("shardnumsub", atLeast(2), call -> counts(call, Kind.SHARD))
                                        .with(LOOKS))),
                speaks("punsubscribe", atLeast(1), call -> unsubscribe(call, Kind.PATTERN))
                        .with(SUBSCRIBES),
                speaks("spublish", exactly(3), SHARD, this::publishToShard).with(PUBLISHES),
                speaks("ssubscribe", atLeast(2), SHARDS, call -> subscribe(call, Kind.SHARD))
                        .with(SUBSCRIBES),
                speaks("subscribe", atLeast(2), call -> subscribe(call, Kind.CHANNEL))
                        .with(SUBSCRIBES),
                speaks("sunsubscribe", atLeast(1), SHARDS, call -> unsubscribe(call, Kind.SHARD))
                        .with(SUBSCRIBES),
                speaks("unsubscribe", atLeast(1), call -> unsubscribe(call, Kind.CHANNEL))
                        .with(SUBSCRIBES));
    }

    private Reply subscribe(Call call, Kind kind) {
        Session session = call.session();
        List<Bytes> names = List.copyOf(call.wordsFrom(1));
        pubSub.checkRoom(kind, names);
        List<Reply> told = new ArrayList<>(names.size());
        for (Bytes name : names) {
            pubSub.subscribe(session, kind, name);
            told.add(told(kind.subscribed(), Reply.of(name), kind, session));
        }
        return new Reply.Pushes(told);
    }

    /** Without names, unsubscribes from all; if there are none, confirms once. */
    private Reply unsubscribe(Call call, Kind kind) {
        Session session = call.session();
        PushState pushState = session.pushState();
        List<Bytes> names = call.size() > 1 ? List.copyOf(call.wordsFrom(1)) : pushState.names(kind);
        if (names.isEmpty()) {
            return new Reply.Pushes(List.of(told(kind.unsubscribed(), Reply.ABSENT, kind, session)));
        }
        List<Reply> told = new ArrayList<>(names.size());
        for (Bytes name : names) {
            pubSub.unsubscribe(session, kind, name);
            told.add(told(kind.unsubscribed(), Reply.of(name), kind, session));
        }
        return new Reply.Pushes(told);
    }

    private static Reply told(Reply what, Reply name, Kind kind, Session session) {
        return new Reply.Push(List.of(what, name, Reply.of(session.pushState().countTold(kind))));
    }

    private Reply publish(Call call) {
        return tell(call, pubSub.to(call.word(1), call.word(2)));
    }

    private Reply publishToShard(Call call) {
        return tell(call, pubSub.toShard(call.word(1), call.word(2)));
    }

    /** Inside a transaction, publishes after the commit, in order with the events of its other commands. */
    private Reply tell(Call call, PubSub.Message message) {
        List<Bytes> words = call.wordsFrom(0).stream().map(Bytes::copy).toList();
        Runnable send = () -> {
            pubSub.send(message);
            replicas.accept(words);
        };
        if (call.session().transaction().isOpen()) {
            call.space().unit().changes().runAfterCommit(send);
        } else {
            send.run();
        }
        return Reply.of(message.receivers());
    }

    private Reply names(Call call, Kind kind) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        return Reply.bulks(pubSub.names(kind, call.size() == 3 ? Glob.of(call.word(2)) : null));
    }

    private Reply counts(Call call, Kind kind) {
        List<Reply> counts = new ArrayList<>();
        for (Bytes name : call.wordsFrom(2)) {
            counts.add(Reply.of(name));
            counts.add(Reply.of(pubSub.subscribers(kind, name)));
        }
        return Reply.many(counts);
    }

    private Reply patternCount(Call call) {
        return Reply.of(pubSub.count(Kind.PATTERN));
    }
}
