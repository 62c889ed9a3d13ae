package io.polytable.redis.command.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The samples of LATENCY LATEST and HISTORY: slow moments by event, at most one per second. */
public final class LatencyEvents {
    private static final int SAMPLES_MAX = 160;

    private final Map<String, Deque<Sample>> history = new TreeMap<>();
    private final Map<String, Long> highest = new TreeMap<>();

    public record Sample(long atSeconds, long millis) {}

    public record Latest(String event, Sample last, long highestMillis) {}

    public synchronized void add(String event, long nowMillis, long millis) {
        Deque<Sample> samples = history.computeIfAbsent(event, name -> new ArrayDeque<>());
        highest.merge(event, millis, Math::max);
        Sample sample = new Sample(nowMillis / 1000, millis);
        Sample last = samples.peekLast();
        if (last != null && last.atSeconds == sample.atSeconds) {
            if (last.millis >= millis) {
                return;
            }
            samples.removeLast();
        }
        samples.addLast(sample);
        if (samples.size() > SAMPLES_MAX) {
            samples.removeFirst();
        }
    }

    public synchronized List<Latest> latest() {
        List<Latest> all = new ArrayList<>();
        history.forEach(
                (event, samples) -> all.add(new Latest(event, samples.getLast(), highest.getOrDefault(event, 0L))));
        return all;
    }

    public synchronized List<Sample> history(String event) {
        Deque<Sample> samples = history.get(event);
        return samples == null ? List.of() : List.copyOf(samples);
    }

    /** Deletes the named events, or all if none is named; returns how many existed. */
    public synchronized int reset(List<String> events) {
        List<String> named = events.isEmpty() ? List.copyOf(history.keySet()) : events;
        int known = 0;
        for (String event : named) {
            highest.remove(event);
            if (history.remove(event) != null) {
                known++;
            }
        }
        return known;
    }
}
