package io.polytable.redis.command;

/** A connection that does nothing; a test overrides what it looks at. */
public class SilentPeer implements Peer {
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
        return Peer.NOBODY.queue();
    }
}
