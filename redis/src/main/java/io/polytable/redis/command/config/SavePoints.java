package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** When an RDB file is saved without a client's request: the parameter {@code save}. */
public record SavePoints(List<Point> points) {
    static final SavePoints NONE = new SavePoints(List.of());

    /** Saves after so many seconds with at least so many changes. */
    public record Point(long seconds, long changes) {}

    public SavePoints {
        points = List.copyOf(points);
    }

    static SavePoints parse(String text) {
        String[] words = text.isBlank() ? new String[0] : text.strip().split("\\s+", -1);
        if (words.length % 2 != 0) {
            throw new RedisError("Invalid save parameters");
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) {
            points.add(new Point(number(words[i], 1), number(words[i + 1], 0)));
        }
        return new SavePoints(points);
    }

    private static long number(String word, long min) {
        if (!word.matches("\\d{1,9}") || Long.parseLong(word) < min) {
            throw new RedisError("Invalid save parameters");
        }
        return Long.parseLong(word);
    }

    String text() {
        return points.stream()
                .map(point -> point.seconds() + " " + point.changes())
                .collect(Collectors.joining(" "));
    }

    public boolean isEmpty() {
        return points.isEmpty();
    }

    /** Whether a save is due, so long after the last one. */
    public boolean isDue(long millis, long changes) {
        return points.stream()
                .anyMatch(point -> changes >= point.changes() && millis > TimeUnit.SECONDS.toMillis(point.seconds()));
    }
}
