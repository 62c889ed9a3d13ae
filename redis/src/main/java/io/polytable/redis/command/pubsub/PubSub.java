package io.polytable.redis.command.pubsub;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.pubsub.Topics.Topic;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The subscriptions to channels, patterns and shard channels, and publishing to them. Thread safe. */
public final class PubSub {
    /** The overhead of a subscription: entries in two maps. */
    static final int SUBSCRIPTION_BYTES = 200;

    private static final Reply MESSAGE = Reply.of("message");
    private static final Reply PATTERN_MESSAGE = Reply.of("pmessage");
    private static final Reply SHARD_MESSAGE = Reply.of("smessage");

    private final PushDispatcher post;
    private final Budget memory;
    private final Topics channels = new Topics(Kind.CHANNEL);
    private final Topics patterns = new Topics(Kind.PATTERN);
    private final Topics shards = new Topics(Kind.SHARD);

    /** Subscriptions to channels and patterns. Loops change it concurrently; exactly one sees it leave or reach zero. */
    private final AtomicLong listeners = new AtomicLong();

    private volatile Runnable whenListenersChange = () -> {};

    /** @param memory the memory of all subscriptions together */
    public PubSub(PushDispatcher post, Budget memory) {
        this.post = post;
        this.memory = memory;
    }

    /** Sets the action for the arrival of the first subscriber and the departure of the last. */
    void onListenersChange(Runnable action) {
        whenListenersChange = action;
    }

    private Topics topics(Kind kind) {
        return switch (kind) {
            case CHANNEL -> channels;
            case PATTERN -> patterns;
            case SHARD -> shards;
        };
    }

    /**
     * Checks the memory budget of subscriptions.
     *
     * @throws RedisError when all subscriptions together would exceed it
     */
    void checkRoom(Kind kind, List<Bytes> names) {
        long wanted = 0;
        for (Bytes name : names) {
            wanted += cost(kind, name);
        }
        if (wanted > memory.leftBytes()) {
            throw new RedisError(
                    RedisError.Code.OOM, "all subscriptions together would take more memory than they may have");
        }
    }

    private static long cost(Kind kind, Bytes name) {
        long compiled = kind == Kind.PATTERN ? Glob.heapBytes(name) : 0;
        return compiled + SUBSCRIPTION_BYTES + name.length();
    }

    /** Called on the session's own loop; no effect when it is already subscribed. */
    void subscribe(Session session, Kind kind, Bytes name) {
        if (session.pushState().has(kind, name)) {
            return;
        }
        // A copy: the name must not keep a network chunk alive.
        Bytes own = name.copy();
        session.pushState().add(kind, own);
        topics(kind).add(own, session);
        memory.take(cost(kind, own));
        if (kind != Kind.SHARD && listeners.incrementAndGet() == 1) {
            whenListenersChange.run();
        }
    }

    void unsubscribe(Session session, Kind kind, Bytes name) {
        if (session.pushState().remove(kind, name)) {
            topics(kind).remove(name, session);
            memory.release(cost(kind, name));
            if (kind != Kind.SHARD && listeners.decrementAndGet() == 0) {
                whenListenersChange.run();
            }
        }
    }

    /** Removes all subscriptions of a session that disconnects or resets. Called on its own loop. */
    public void leave(Session session) {
        PushState pushState = session.pushState();
        if (pushState.isSubscriber()) {
            for (Kind kind : Kind.values()) {
                pushState.names(kind).forEach(name -> unsubscribe(session, kind, name));
            }
        }
    }

    /** Whether any channel or pattern has a subscriber. */
    boolean hasListeners() {
        return listeners.get() > 0;
    }

    /** A publication as push messages, and the number of receivers. */
    record Message(List<PushMessage> pushes, int receivers) {}

    Message to(Bytes channel, Bytes message) {
        List<PushMessage> pushes = new ArrayList<>();
        int receivers = address(channel, message, pushes);
        return new Message(pushes, receivers);
    }

    Message toShard(Bytes channel, Bytes message) {
        Topic topic = shards.find(channel);
        if (topic == null) {
            return new Message(List.of(), 0);
        }
        PushMessage push = topic.push(push(SHARD_MESSAGE, channel, message), bytes(channel, message));
        return new Message(List.of(push), topic.size());
    }

    void send(Message message) {
        post.post(message.pushes());
    }

    /** Adds the messages for the channel's subscribers, then for those of matching patterns. */
    private int address(Bytes channel, Bytes message, List<PushMessage> pushes) {
        int receivers = 0;
        Topic topic = channels.find(channel);
        if (topic != null) {
            pushes.add(topic.push(push(MESSAGE, channel, message), bytes(channel, message)));
            receivers += topic.size();
        }
        if (patterns.isEmpty()) {
            return receivers;
        }
        for (Topic pattern : patterns.all()) {
            if (pattern.matches(channel)) {
                Reply reply = new Reply.Push(
                        List.of(PATTERN_MESSAGE, Reply.of(pattern.name()), Reply.of(channel), Reply.of(message)));
                pushes.add(pattern.push(reply, bytes(channel, message)));
                receivers += pattern.size();
            }
        }
        return receivers;
    }

    /** Publishes several messages contiguously. */
    void publishAll(List<Publication> publications) {
        List<PushMessage> pushes = new ArrayList<>();
        for (Publication each : publications) {
            address(each.channel(), each.message(), pushes);
        }
        post.post(pushes);
    }

    /** A message and its channel. */
    record Publication(Bytes channel, Bytes message) {}

    private static Reply push(Reply kind, Bytes channel, Bytes message) {
        return new Reply.Push(List.of(kind, Reply.of(channel), Reply.of(message)));
    }

    private static int bytes(Bytes channel, Bytes message) {
        return channel.length() + message.length();
    }

    /** The names with subscribers that match the pattern; all without a pattern. */
    List<Bytes> names(Kind kind, @Nullable Glob pattern) {
        return topics(kind).all().stream()
                .map(Topic::name)
                .filter(name -> pattern == null || Topics.matches(pattern, name))
                .toList();
    }

    /** The sessions that are subscribed to a name that passes the test. */
    public List<Session> subscribersOf(Kind kind, Predicate<Bytes> name) {
        return topics(kind).all().stream()
                .filter(topic -> name.test(topic.name()))
                .flatMap(topic -> topic.sessions().stream())
                .toList();
    }

    int subscribers(Kind kind, Bytes name) {
        Topic topic = topics(kind).find(name);
        return topic == null ? 0 : topic.size();
    }

    /** The number of names with subscribers. */
    public int count(Kind kind) {
        return topics(kind).count();
    }
}
