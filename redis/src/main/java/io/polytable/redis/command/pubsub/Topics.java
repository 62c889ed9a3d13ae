package io.polytable.redis.command.pubsub;

import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushQueue.Recipients;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.model.Glob;
import io.polytable.table.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The subscribers of all names of one kind. Thread safe. */
final class Topics {
    private final Kind kind;
    private final Map<Bytes, Topic> topics = new ConcurrentHashMap<>();

    /** One name and its subscribers. */
    static final class Topic {
        private final Kind kind;
        private final Bytes name;
        private final @Nullable Glob glob;
        private volatile Recipients subscribers = Recipients.NONE;

        Topic(Kind kind, Bytes name) {
            this.kind = kind;
            this.name = name;
            this.glob = kind == Kind.PATTERN ? Glob.of(name) : null;
        }

        Bytes name() {
            return name;
        }

        List<Session> sessions() {
            return subscribers.sessions();
        }

        int size() {
            return subscribers.size();
        }

        boolean matches(Bytes channel) {
            return glob != null && Topics.matches(glob, channel);
        }

        /** A session that unsubscribes before delivery does not receive it. */
        PushMessage push(Reply reply, int bytes) {
            Recipients told = subscribers;
            return new PushMessage(
                    reply,
                    told,
                    bytes,
                    session -> told == subscribers || session.pushState().has(kind, name));
        }
    }

    /** Matches like Redis: unlike an empty key, an empty channel matches no pattern. */
    static boolean matches(Glob pattern, Bytes channel) {
        return !channel.isEmpty() && pattern.matches(channel);
    }

    Topics(Kind kind) {
        this.kind = kind;
    }

    void add(Bytes name, Session session) {
        topics.compute(name, (key, known) -> {
            Topic topic = known == null ? new Topic(kind, name) : known;
            topic.subscribers = topic.subscribers.with(session);
            return topic;
        });
    }

    void remove(Bytes name, Session session) {
        topics.computeIfPresent(name, (key, topic) -> {
            topic.subscribers = topic.subscribers.without(session);
            return topic.subscribers.isEmpty() ? null : topic;
        });
    }

    @Nullable
    Topic find(Bytes name) {
        return topics.get(name);
    }

    Collection<Topic> all() {
        return topics.values();
    }

    int count() {
        return topics.size();
    }

    boolean isEmpty() {
        return topics.isEmpty();
    }
}
