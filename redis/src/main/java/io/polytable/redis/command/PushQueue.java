package io.polytable.redis.command;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The push messages for the sessions of one event loop: publications, notifications, invalidations, the lines of
 * MONITOR. Any thread appends. The loop delivers in order, after the reply of the command it is running. Thread safe.
 */
public interface PushQueue {
    /** Discards everything. */
    PushQueue NOWHERE = push -> {};

    void post(PushMessage push);

    /** One message for some sessions, encoded once per protocol. */
    final class PushMessage {
        /** An empty message: only wakes a loop. */
        public static final PushMessage NONE = new PushMessage(Reply.OK, Recipients.NONE, 0, session -> true);

        private final Reply reply;
        private final Recipients recipients;
        private final int size;
        private final Predicate<Session> wanted;
        private volatile byte @Nullable [] resp2;
        private volatile byte @Nullable [] resp3;

        /** Encodes replies. */
        public interface Encoder {
            byte[] encode(Reply reply, int protocol);
        }

        /**
         * A message for these sessions.
         *
         * @param size roughly the bytes it holds until it is delivered
         * @param wanted tested on the session's own loop at delivery: the session may have unsubscribed since
         */
        public PushMessage(Reply reply, Recipients recipients, int size, Predicate<Session> wanted) {
            this.reply = reply;
            this.recipients = recipients;
            this.size = size;
            this.wanted = wanted;
        }

        public Recipients recipients() {
            return recipients;
        }

        public int size() {
            return size;
        }

        public boolean isWantedBy(Session session) {
            return wanted.test(session);
        }

        /** Two loops may both encode it, with the same result. */
        public byte[] encoded(int protocol, Encoder encoder) {
            byte[] known = protocol >= 3 ? resp3 : resp2;
            if (known == null) {
                known = encoder.encode(reply, protocol);
                if (protocol >= 3) {
                    resp3 = known;
                } else {
                    resp2 = known;
                }
            }
            return known;
        }
    }

    /** An immutable list of sessions, in the order of their addition, with the queues of their loops. */
    final class Recipients {
        public static final Recipients NONE = new Recipients(new Session[0]);

        private final Session[] sessions;
        private final List<PushQueue> queues;

        private Recipients(Session[] sessions) {
            this.sessions = sessions;
            Set<PushQueue> distinct = new LinkedHashSet<>();
            for (Session session : sessions) {
                distinct.add(session.peer().queue());
            }
            this.queues = List.copyOf(distinct);
        }

        public static Recipients of(Session session) {
            return new Recipients(new Session[] {session});
        }

        public static Recipients of(List<Session> sessions) {
            return sessions.isEmpty() ? NONE : new Recipients(sessions.toArray(Session[]::new));
        }

        public Recipients with(Session session) {
            Session[] more = Arrays.copyOf(sessions, sessions.length + 1);
            more[sessions.length] = session;
            return new Recipients(more);
        }

        public Recipients without(Session gone) {
            List<Session> rest =
                    Arrays.stream(sessions).filter(each -> each != gone).toList();
            return rest.size() == sessions.length ? this : of(rest);
        }

        public int size() {
            return sessions.length;
        }

        public boolean isEmpty() {
            return sessions.length == 0;
        }

        public Session get(int index) {
            return sessions[index];
        }

        public List<Session> sessions() {
            return List.of(sessions);
        }

        /** The queues of all loops that own one of the sessions. */
        public List<PushQueue> queues() {
            return queues;
        }
    }
}
