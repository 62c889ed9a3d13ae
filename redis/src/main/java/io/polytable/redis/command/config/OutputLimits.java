package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.List;

/** The value of {@code client-output-buffer-limit}: the limit of each class of clients. */
public record OutputLimits(OutputLimit normal, OutputLimit replica, OutputLimit subscriber) {
    private static final int WORDS = 4;

    /** With the classes of the text replaced. */
    OutputLimits merge(String text) {
        List<String> words = List.of(text.trim().split(" +", -1));
        if (words.size() % WORDS != 0) {
            throw new RedisError("Wrong number of arguments in buffer limit configuration.");
        }
        OutputLimits merged = this;
        for (int i = 0; i < words.size(); i += WORDS) {
            OutputLimit limit =
                    new OutputLimit(number(words.get(i + 1)), number(words.get(i + 2)), number(words.get(i + 3)));
            merged = switch (words.get(i)) {
                case "normal" -> merged.withNormal(limit);
                case "slave", "replica" -> new OutputLimits(merged.normal, limit, merged.subscriber);
                case "pubsub" -> new OutputLimits(merged.normal, merged.replica, limit);
                default -> throw new RedisError("Invalid client class specified in buffer limit configuration.");
            };
        }
        return merged;
    }

    OutputLimits withNormal(OutputLimit limit) {
        return new OutputLimits(limit, replica, subscriber);
    }

    String text() {
        return "normal " + normal.text() + " slave " + replica.text() + " pubsub " + subscriber.text();
    }

    private static long number(String text) {
        try {
            return MemorySize.parse(text);
        } catch (RedisError bad) {
            throw new RedisError("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
        }
    }
}
