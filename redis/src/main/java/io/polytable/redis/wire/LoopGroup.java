package io.polytable.redis.wire;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** The event loops of a server. */
final class LoopGroup extends MultiThreadIoEventLoopGroup {
    LoopGroup(int threads, IoHandlerFactory io, ServerContext engine) {
        super(threads, named(), io, engine);
    }

    private static ThreadFactory named() {
        return new DefaultThreadFactory("redis");
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... rest) {
        // The constructor above runs this before any field could be set; so the engine comes this way.
        return new Loop(this, executor, io, (ServerContext) rest[0]);
    }
}
