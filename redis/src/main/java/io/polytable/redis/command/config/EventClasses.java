package io.polytable.redis.command.config;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.EventClass;
import java.util.EnumSet;
import java.util.Set;

/**
 * The value of {@code notify-keyspace-events}: which classes of events are published, and to which of the two channels.
 */
public record EventClasses(Set<EventClass> classes, boolean toKeyspace, boolean toKeyevent) {
    private static final char ALL = 'A';
    private static final char KEYSPACE = 'K';
    private static final char KEYEVENT = 'E';

    /** What the letter A stands for. */
    private static final Set<EventClass> COMMON =
            EnumSet.complementOf(EnumSet.of(EventClass.KEY_MISS, EventClass.NEW, EventClass.NONE));

    /** In the order of CONFIG GET. */
    private static final String LETTERS = "g$lshzxetdn";

    static final EventClasses NONE = new EventClasses(Set.of(), false, false);

    static EventClasses parse(String text) {
        Set<EventClass> classes = EnumSet.noneOf(EventClass.class);
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == ALL) {
                classes.addAll(COMMON);
            } else if (letter != KEYSPACE && letter != KEYEVENT) {
                classes.add(named(letter));
            }
        }
        return new EventClasses(classes, text.indexOf(KEYSPACE) >= 0, text.indexOf(KEYEVENT) >= 0);
    }

    /** The text that is parsed as this value: with {@code n} also beside {@code A}. */
    String fullText() {
        boolean isHidden = has(EventClass.NEW) && classes.containsAll(COMMON);
        return text() + (isHidden ? EventClass.NEW.letter() : "");
    }

    private static EventClass named(char letter) {
        for (EventClass each : EventClass.values()) {
            if (each.letter() == letter && each != EventClass.NONE) {
                return each;
            }
        }
        throw new RedisError("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }

    public boolean has(EventClass kind) {
        return classes.contains(kind);
    }

    /** Whether any event is published. */
    public boolean isAnywhere() {
        return (toKeyspace || toKeyevent) && !classes.isEmpty();
    }

    /** Whether a class other than key misses is enabled: only those come from changes. */
    public boolean hasChanges() {
        return classes.size() > (has(EventClass.KEY_MISS) ? 1 : 0);
    }

    /** As CONFIG GET shows it: like Redis, without {@code n} beside {@code A}. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (classes.containsAll(COMMON)) {
            text.append(ALL);
        } else {
            for (int i = 0; i < LETTERS.length(); i++) {
                char letter = LETTERS.charAt(i);
                if (has(named(letter))) {
                    text.append(letter);
                }
            }
        }
        text.append(toKeyspace ? "K" : "").append(toKeyevent ? "E" : "");
        return text.append(has(EventClass.KEY_MISS) ? "m" : "").toString();
    }
}
