package io.polytable.redis.command;

/** The connection of a session, as commands see it and can end it. Thread safe. */
public interface Peer {
    /** One that nobody listens to. */
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

    /** Host and port. */
    String address();

    String localAddress();

    /** What was received and not run yet. */
    long queryBytes();

    /** What was answered and not sent yet. */
    long outputBytes();

    /** At once, whatever is still to be said. */
    void close();

    /** When everything that was answered so far, the running command included, has gone out. */
    void closeAfterReplies();

    /** Answers its blocked call, soon and on its own loop. */
    void answer(Waiter waiter, Reply reply);

    /** Runs its blocked call again, soon and on its own loop. */
    void retry(Waiter waiter);

    /** Where its event loop takes what is told to it unasked. */
    PushQueue queue();
}
