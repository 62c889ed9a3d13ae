package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The limit on a client's output buffer: hard at once, soft after some seconds. */
public record OutputLimit(long hardBytes, long softBytes, long softSeconds) {
    private static final List<String> CLASSES = List.of("normal", "slave", "pubsub");

    /** Whether the bytes exceed the hard limit. */
    public boolean isBeyondHard(long bytes) {
        return hardBytes > 0 && bytes > hardBytes;
    }

    /** The limit of one client class in the value of client-output-buffer-limit. */
    static OutputLimit of(String clientClass, String text) {
        OutputLimit limit = parse(text).get(clientClass);
        return limit == null ? new OutputLimit(0, 0, 0) : limit;
    }

    /** The old value with the classes of the new one replaced. */
    static String merge(String text, String before) {
        Map<String, OutputLimit> all = before.isEmpty() ? new LinkedHashMap<>() : parse(before);
        all.putAll(parse(text));
        List<String> parts = new ArrayList<>();
        for (String each : CLASSES) {
            OutputLimit limit = all.getOrDefault(each, new OutputLimit(0, 0, 0));
            parts.add(each + " " + limit.hardBytes + " " + limit.softBytes + " " + limit.softSeconds);
        }
        return String.join(" ", parts);
    }

    private static Map<String, OutputLimit> parse(String text) {
        String[] words = text.trim().split(" +", -1);
        if (words.length % 4 != 0) {
            throw new RedisError("Wrong number of arguments in buffer limit configuration.");
        }
        Map<String, OutputLimit> all = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 4) {
            String clientClass = words[i].equals("replica") ? "slave" : words[i];
            if (!CLASSES.contains(clientClass)) {
                throw new RedisError("Invalid client class specified in buffer limit configuration.");
            }
            all.put(clientClass, new OutputLimit(number(words[i + 1]), number(words[i + 2]), number(words[i + 3])));
        }
        return all;
    }

    private static long number(String text) {
        try {
            return MemorySize.parse(text);
        } catch (RedisError bad) {
            throw new RedisError("Error in hard, soft or soft_seconds setting in buffer limit configuration.");
        }
    }
}
