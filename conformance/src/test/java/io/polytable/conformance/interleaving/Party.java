package io.polytable.conformance.interleaving;

import io.polytable.conformance.process.Pause;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connections of one server. After each move it waits until the server has either answered or blocked the call, and then
 * reads the replies of all that were blocked and are no longer: CLIENT LIST tells, so nothing depends on time.
 */
final class Party implements AutoCloseable {
    private static final Pattern CLIENT = Pattern.compile("(?m)^id=(\\d+) .* flags=(\\w+) ");
    private static final int LOOKS_MAX = 20_000;

    private final RespServer server;
    private final RespConnection control;
    private final List<Seat> seats = new ArrayList<>();

    /** One connection; every second one speaks RESP3. */
    private final class Seat {
        private final int number;
        private RespConnection connection;
        private long id;
        private boolean blocked;

        Seat(int number) {
            this.number = number;
            open();
        }

        void open() {
            connection = server.connect();
            connection.call("HELLO", number % 2 == 0 ? "2" : "3");
            id = connection.call("CLIENT", "ID").tree().number();
            blocked = false;
        }

        boolean hasReply() {
            try {
                return connection.rawInput().available() > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String read() {
            return number + ": " + connection.read();
        }
    }

    Party(RespServer server, int connections) {
        this.server = server;
        this.control = server.connect();
        control.call("FLUSHALL");
        for (int i = 0; i < connections; i++) {
            seats.add(new Seat(i));
        }
    }

    /** What everybody was answered because of the move, by number of connection; who must be silent does nothing. */
    List<String> play(Move move) {
        Seat seat = seats.get(move.connection());
        if (seat.blocked) {
            return List.of(move.connection() + ": is blocked");
        }
        List<String> words = move.words().stream().map(this::word).toList();
        seat.connection.send(RespConnection.request(words));
        List<String> replies = new ArrayList<>();
        if (mustAnswer(words) || isAnswered(seat)) {
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

    private boolean isAnswered(Seat seat) {
        for (int look = 0; look < LOOKS_MAX; look++) {
            if (seat.hasReply()) {
                return true;
            }
            // Most calls are answered soon: only then is it worth asking.
            if (look % 4 == 3 && flags().getOrDefault(seat.id, "").contains("b")) {
                seat.blocked = true;
                return false;
            }
            Pause.millis(1);
        }
        throw new AssertionError("Neither answered nor blocked: connection " + seat.number);
    }

    private Map<Long, String> flags() {
        Map<Long, String> flags = new HashMap<>();
        Matcher lines = CLIENT.matcher(control.call("CLIENT", "LIST").tree().text());
        while (lines.find()) {
            flags.put(Long.parseLong(lines.group(1)), lines.group(2));
        }
        return flags;
    }

    private void reopenKilled(Move move, List<String> replies) {
        if (move.words().contains("KILL") && replies.get(0).endsWith("1")) {
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
            if (seat.blocked && !flags.getOrDefault(seat.id, "").contains("b") && replies.stream().noneMatch(said -> said.startsWith(seat.number + ":"))) {
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
