package io.polytable.redis.command;

/** What a command does: reads its words, calls the model once, wraps the answer. */
@FunctionalInterface
public interface Body {
    /**
     * Answers the call.
     *
     * @throws io.polytable.redis.model.RedisError when the client asked for something that cannot be
     */
    Reply run(Call call);
}
