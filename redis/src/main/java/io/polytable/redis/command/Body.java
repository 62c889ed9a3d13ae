package io.polytable.redis.command;

/** The implementation of a command: parses the words, calls the model once, wraps the result in a reply. */
@FunctionalInterface
public interface Body {
    /**
     * Runs the call.
     *
     * @throws io.polytable.redis.model.RedisError when the client's request is invalid
     */
    Reply run(Call call);
}
