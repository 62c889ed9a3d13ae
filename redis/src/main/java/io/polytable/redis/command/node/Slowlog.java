package io.polytable.redis.command.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The slow log. Written rarely, so one lock is enough. */
public final class Slowlog {
    private static final int WORDS_MAX = 32;
    private static final int WORD_CHARS_MAX = 128;

    private final RedisConfig settings;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long nextId;

    /** One slow command; words are truncated as in Redis. */
    public record Entry(long id, long atSeconds, long micros, List<Bytes> words, String address, String name) {}

    Slowlog(RedisConfig settings) {
        this.settings = settings;
    }

    public void add(Call call, long micros) {
        List<Bytes> words = cut(call);
        Session who = call.session();
        synchronized (this) {
            entries.addFirst(new Entry(
                    nextId++, call.nowMillis() / 1000, micros, words, who.peer().address(), who.name()));
            trim();
        }
    }

    private void trim() {
        while (entries.size() > settings.slowlogLength()) {
            entries.removeLast();
        }
    }

    /** The newest first. */
    public synchronized List<Entry> newest(long count) {
        return entries.stream().limit(count).toList();
    }

    public synchronized int size() {
        return entries.size();
    }

    public synchronized void reset() {
        entries.clear();
    }

    private static List<Bytes> cut(Call call) {
        int kept = Math.min(call.size(), WORDS_MAX);
        List<Bytes> words = new ArrayList<>(kept);
        for (int i = 0; i < kept; i++) {
            boolean stands = i < WORDS_MAX - 1 || call.size() == WORDS_MAX;
            words.add(stands ? shown(call, i) : text("... (" + (call.size() - i) + " more arguments)"));
        }
        return words;
    }

    private static Bytes shown(Call call, int index) {
        return Redaction.hides(call, index) ? Redaction.HIDDEN : cut(call.word(index));
    }

    private static Bytes cut(Bytes word) {
        int over = word.length() - WORD_CHARS_MAX;
        if (over <= 0) {
            // Copies: the log must not keep whole network chunks alive.
            return word.copy();
        }
        return word.slice(0, WORD_CHARS_MAX).concat(text("... (" + over + " more bytes)"));
    }

    private static Bytes text(String text) {
        return Bytes.of(text.getBytes(ISO_8859_1));
    }
}
