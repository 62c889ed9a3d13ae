package io.polytable.redis.command.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushQueue.Recipients;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.table.Bytes;
import java.time.Instant;
import java.time.InstantSource;

/** MONITOR: the monitoring sessions and the lines they receive. Thread safe. */
public final class Monitors {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** A longer word is cut, and the words behind so long a line are left out: a line is on the heap several times. */
    private static final int WORD_BYTES_MAX = 64 << 10;

    private static final int LINE_CHARS_MAX = 1 << 20;

    private final PushDispatcher post;
    private final InstantSource clock;
    private volatile Recipients watching = Recipients.NONE;

    Monitors(PushDispatcher post, InstantSource clock) {
        this.post = post;
        this.clock = clock;
    }

    /** Called on the session's own loop; false when it already monitors. */
    public synchronized boolean add(Session session) {
        if (session.pushState().monitors()) {
            return false;
        }
        session.pushState().monitors(true);
        watching = watching.with(session);
        return true;
    }

    synchronized void remove(Session session) {
        if (session.pushState().monitors()) {
            session.pushState().monitors(false);
            watching = watching.without(session);
        }
    }

    /** Shows a call that has run, except administrative commands. */
    public void show(Call call) {
        Recipients all = watching;
        if (!all.isEmpty() && !isHidden(call.command())) {
            String line = line(call);
            post.post(new PushMessage(
                    Reply.simple(line),
                    all,
                    line.length(),
                    session -> session.pushState().monitors()));
        }
    }

    private static boolean isHidden(Command command) {
        // EXEC is shown after the commands that it ran.
        return command.has(Flag.ADMIN) || (command.has(Flag.SKIP_MONITOR) && !command.runsQueue());
    }

    private String line(Call call) {
        Instant now = clock.instant();
        StringBuilder line = new StringBuilder(64);
        line.append(now.getEpochSecond()).append('.');
        String micros = Integer.toString(now.getNano() / 1000);
        line.append("0".repeat(6 - micros.length())).append(micros);
        line.append(" [").append(call.session().database()).append(' ');
        String address = call.session().peer().address();
        // Only scripts call commands without a connection.
        line.append(address.isEmpty() ? "lua" : address).append(']');
        return words(call, line).toString();
    }

    /** The words of a call, without secrets, as MONITOR shows them; a long call is cut. */
    static String words(Call call) {
        return words(call, new StringBuilder()).substring(1);
    }

    private static StringBuilder words(Call call, StringBuilder line) {
        for (int i = 0; i < call.size(); i++) {
            if (line.length() > LINE_CHARS_MAX) {
                return line.append(" ... (").append(call.size() - i).append(" more arguments)");
            }
            line.append(' ');
            quoteStart(Redaction.hides(call, i) ? Redaction.HIDDEN : call.word(i), line);
        }
        return line;
    }

    private static void quoteStart(Bytes word, StringBuilder line) {
        int shown = Math.min(word.length(), WORD_BYTES_MAX);
        quote(word.slice(0, shown), line);
        if (shown < word.length()) {
            line.append("... (").append(word.length() - shown).append(" more bytes)");
        }
    }

    private static void quote(Bytes word, StringBuilder line) {
        line.append('"');
        for (char each : new String(word.array(), word.offset(), word.length(), ISO_8859_1).toCharArray()) {
            switch (each) {
                case '\\', '"' -> line.append('\\').append(each);
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                case 7 -> line.append("\\a");
                case '\b' -> line.append("\\b");
                default -> {
                    if (each >= ' ' && each < 0x7f) {
                        line.append(each);
                    } else {
                        line.append("\\x").append(HEX[each >> 4]).append(HEX[each & 15]);
                    }
                }
            }
        }
        line.append('"');
    }
}
