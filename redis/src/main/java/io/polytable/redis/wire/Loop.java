package io.polytable.redis.wire;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/** An event loop that reports the end of each turn: all ready connections were read and all tasks have run. */
final class Loop extends SingleThreadIoEventLoop {
    private final Turn turn;

    Loop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory io, ServerContext engine) {
        super(parent, executor, io);
        this.turn = new Turn(this, engine);
    }

    Turn turn() {
        return turn;
    }

    @Override
    protected void afterRunningAllTasks() {
        super.afterRunningAllTasks();
        turn.end();
    }
}
