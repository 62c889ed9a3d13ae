package io.polytable.store.engine;

import io.polytable.table.Commit;
import io.polytable.table.Position;
import java.util.concurrent.CompletionStage;

/** A commit's position; the engine knows whether it is durable. */
final class EngineCommit implements Commit {
    private final Engine engine;
    private final long position;

    EngineCommit(Engine engine, long position) {
        this.engine = engine;
        this.position = position;
    }

    @Override
    public boolean isDurable() {
        return engine.isDurable(position);
    }

    @Override
    public CompletionStage<Void> durable() {
        return engine.whenDurable(position);
    }

    @Override
    public Position position() {
        return engine.positionOf(position);
    }
}
