package io.polytable.redis.wire;

import io.polytable.redis.wire.InterleavedScript.Move;
import io.polytable.table.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connections of one server. After each move it waits until the server has either answered or blocked the call, and then
 * reads the replies of all that were blocked and are no longer: CLIENT LIST tells, so nothing depends on time.
 */
final class InterleavedParty implements AutoCloseable {
    private static final Pattern CLIENT = Pattern.compile("(?m)^(?:\\$\\d+ )?id=(\\d+) .* flags=(\\w+) ");
    private static final int QUICK_LOOKS = 3;

    private final int port;
    private final TestClient control;
    private final List<Seat> seats = new ArrayList<>();

    /** One connection; every second one speaks RESP3. */
    private final class Seat {
        private final int number;
        private TestClient connection;
        private long id;
        private boolean blocked;

        Seat(int number) {
            this.number = number;
            open();
        }

        void open() {
            connection = new TestClient(port);
            connection.call("HELLO", number % 2 == 0 ? "2" : "3");
            id = Long.parseLong(connection.call("CLIENT", "ID").substring(1));
            blocked = false;
        }

        String read() {
            return number + ": " + connection.read();
        }
    }

    InterleavedParty(int port, int connections) {
        this.port = port;
        this.control = new TestClient(port);
        control.call("FLUSHALL");
        for (int i = 0; i < connections; i++) {
            seats.add(new Seat(i));
        }
    }

    /** What everybody was answered because of the move, by number of connection; who must be silent does nothing. */
    List<String> play(Move move, String where) {
        Seat seat = seats.get(move.connection());
        if (seat.blocked) {
            return List.of(move.connection() + ": is blocked");
        }
        List<String> words = move.words().stream().map(this::word).toList();
        seat.connection.send(words.toArray(String[]::new));
        List<String> replies = new ArrayList<>();
        if (mustAnswer(words) || isAnswered(seat, where)) {
            replies.add(seat.read());
        } else {
            replies.add(seat.number + ": blocks");
        }
        reopenKilled(move, replies);
        readUnblocked(replies);
        return replies;
    }

    private String word(String word) {
        return word.startsWith("@") ? Long.toString(seats.get(Integer.parseInt(word.substring(1))).id) : word;
    }

    /** A timeout that is soon over. */
    private static boolean mustAnswer(List<String> words) {
        return words.stream().anyMatch(word -> word.startsWith("0."));
    }

    private boolean isAnswered(Seat seat, String where) {
        // Most calls are answered soon: only the others are worth a question to the server.
        for (int look = 0; look < QUICK_LOOKS; look++) {
            if (seat.connection.hasReply()) {
                return true;
            }
            LockSupport.parkNanos(300_000);
        }
        Await.until(
                () -> "connection " + seat.number + " of " + port + " is answered or blocked, " + where,
                () -> seat.connection.hasReply() || isBlocked(seat));
        seat.blocked = !seat.connection.hasReply();
        return !seat.blocked;
    }

    private boolean isBlocked(Seat seat) {
        return flags().getOrDefault(seat.id, "").contains("b");
    }

    private Map<Long, String> flags() {
        Map<Long, String> flags = new HashMap<>();
        Matcher lines = CLIENT.matcher(control.call("CLIENT", "LIST"));
        while (lines.find()) {
            flags.put(Long.parseLong(lines.group(1)), lines.group(2));
        }
        return flags;
    }

    private void reopenKilled(Move move, List<String> replies) {
        if (move.words().contains("KILL") && replies.get(0).endsWith(":1")) {
            String target = move.words().get(move.words().size() - 1);
            Seat killed = seats.get(Integer.parseInt(target.substring(1)));
            killed.connection.close();
            killed.open();
        }
    }

    private void readUnblocked(List<String> replies) {
        if (seats.stream().noneMatch(seat -> seat.blocked)) {
            return;
        }
        Map<Long, String> flags = flags();
        for (Seat seat : seats) {
            if (seat.blocked && !flags.getOrDefault(seat.id, "").contains("b")) {
                seat.blocked = false;
                replies.add(seat.read());
            }
        }
    }

    @Override
    public void close() {
        seats.forEach(seat -> seat.connection.close());
        control.close();
    }
}
