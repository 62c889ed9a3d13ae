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
        // The super constructor calls this before fields are set, so the context is passed as an argument.
        return new Loop(this, executor, io, (ServerContext) rest[0]);
    }
}
