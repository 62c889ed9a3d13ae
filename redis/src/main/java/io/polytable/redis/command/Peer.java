package io.polytable.redis.command;

import java.io.IOException;

/** The connection of a session, as commands see it. Thread safe. */
public interface Peer {
    /** The peer of a session without a connection. */
    Peer NOBODY = new Peer() {
        @Override
        public String address() {
            return "";
        }

        @Override
        public String localAddress() {
            return "";
        }

        @Override
        public long queryBytes() {
            return 0;
        }

        @Override
        public long outputBytes() {
            return 0;
        }

        @Override
        public void close() {}

        @Override
        public void closeAfterReplies() {}

        @Override
        public void answer(Waiter waiter, Reply reply) {}

        @Override
        public void retry(Waiter waiter) {}

        @Override
        public PushQueue queue() {
            return PushQueue.NOWHERE;
        }
    };

    /** {@code host:port}. */
    String address();

    String localAddress();

    /** Bytes received and not executed yet. */
    long queryBytes();

    /** Bytes of replies not sent yet. */
    long outputBytes();

    /** Closes immediately; unsent replies are lost. */
    void close();

    /** Closes after all replies so far, the one of the running command included, were sent. */
    void closeAfterReplies();

    /** Answers the session's blocked call, asynchronously on its own event loop. */
    void answer(Waiter waiter, Reply reply);

    /** Runs the session's blocked call again, asynchronously on its own event loop. */
    void retry(Waiter waiter);

    /**
     * Sends bytes that are no reply, and waits until the client's machine has taken them. Not on an event loop.
     *
     * @throws IOException when the connection is gone, or takes nothing for too long
     */
    default void write(byte[] bytes, int length) throws IOException {
        throw new IOException("there is no connection");
    }

    /** The push queue of its event loop. */
    PushQueue queue();
}
