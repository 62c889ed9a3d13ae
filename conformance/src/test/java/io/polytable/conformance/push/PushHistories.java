package io.polytable.conformance.push;

import io.polytable.conformance.history.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Random histories about pushes, from a seed. */
final class PushHistories {
    static final int CONNECTIONS = 5;

    private static final String[] CHANNELS = {"one", "two", "three", "o", ""};
    private static final String[] PATTERNS = {"*", "o*", "t?o", "[ot]*", "one", "nothing*"};
    private static final String[] EVENT_CHANNELS = {
        "__keyspace@0__:a", "__keyspace@0__:b", "__keyevent@0__:set", "__keyevent@0__:del", "__keyevent@1__:move_to"
    };
    private static final String[] CLASSES = {"KEA", "KEAmn", "Kg$", "Ez", "KExn", "AK", "Em", "", "KElshzt", "Kd"};

    private final Dice dice;
    private final Writes commands;
    private final Set<String> known;
    private final List<Move> moves = new ArrayList<>();

    PushHistories(long seed, Set<String> known) {
        this.dice = new Dice(seed);
        this.commands = new Writes(dice, known);
        this.known = known;
    }

    /** Connections 0 and 1 publish in RESP2, 2 listens in RESP2, 3 and 4 do everything in RESP3. */
    List<Move> ofChannels(int steps) {
        moves.add(Move.of(3, "HELLO", "3"));
        moves.add(Move.of(4, "HELLO", "3"));
        while (moves.size() < steps) {
            if (dice.percent(45)) {
                publish();
            } else if (dice.percent(75)) {
                subscribe(2 + dice.below(3));
            } else {
                ask();
            }
        }
        return moves;
    }

    private void publish() {
        String command = dice.percent(80) ? "PUBLISH" : "SPUBLISH";
        int connection = dice.percent(80) ? dice.below(2) : 3 + dice.below(2);
        moves.add(Move.of(connection, command, dice.pick(CHANNELS), dice.bytes(dice.below(20))));
    }

    private void subscribe(int connection) {
        String kind = dice.pick("", "P", "S");
        String[] names = kind.equals("P") ? PATTERNS : CHANNELS;
        if (dice.percent(60)) {
            moves.add(Move.of(connection, kind + "SUBSCRIBE", dice.pick(names), dice.pick(names)));
        } else {
            moves.add(Move.of(connection, kind + "UNSUBSCRIBE", dice.pick(names)));
        }
        if (dice.percent(3)) {
            moves.add(Move.of(connection, "RESET"));
            if (connection > 2) {
                moves.add(Move.of(connection, "HELLO", "3"));
            }
        } else if (dice.percent(2)) {
            moves.add(Move.reconnect(connection));
            if (connection > 2) {
                moves.add(Move.of(connection, "HELLO", "3"));
            }
        }
    }

    private void ask() {
        int connection = dice.below(CONNECTIONS);
        switch (dice.below(8)) {
            case 0 -> moves.add(Move.unordered(connection, "PUBSUB", "CHANNELS"));
            case 1 -> moves.add(Move.unordered(connection, "PUBSUB", "CHANNELS", dice.pick(PATTERNS)));
            case 2 -> moves.add(Move.unordered(connection, "PUBSUB", "SHARDCHANNELS"));
            case 3 -> moves.add(Move.of(connection, "PUBSUB", "NUMPAT"));
            case 4 -> moves.add(Move.of(connection, "PUBSUB", "NUMSUB", dice.pick(CHANNELS), dice.pick(CHANNELS)));
            case 5 -> moves.add(Move.of(connection, "PUBSUB", "SHARDNUMSUB", dice.pick(CHANNELS)));
            case 6 -> moves.add(Move.of(connection, "GET", "x"));
            default -> moves.add(Move.of(connection, "PING"));
        }
    }

    /** Connections 0 and 1 write, the others listen to keys: 2 in RESP2, 3 and 4 in RESP3. */
    List<Move> ofNotifications(int steps) {
        moves.add(Move.of(3, "HELLO", "3"));
        moves.add(Move.of(4, "HELLO", "3"));
        moves.add(Move.of(1, "SELECT", "1"));
        moves.add(Move.of(3, "PSUBSCRIBE", "__key*"));
        moves.add(Move.of(0, "CONFIG", "SET", "notify-keyspace-events", dice.pick(CLASSES)));
        while (moves.size() < steps) {
            if (dice.percent(5)) {
                moves.add(Move.of(0, "CONFIG", "SET", "notify-keyspace-events", dice.pick(CLASSES)));
                moves.add(Move.of(0, "CONFIG", "GET", "notify-keyspace-events"));
            } else if (dice.percent(10)) {
                int connection = 2 + 2 * dice.below(2);
                String command = dice.percent(70) ? "SUBSCRIBE" : "UNSUBSCRIBE";
                moves.add(Move.of(connection, command, dice.pick(EVENT_CHANNELS)));
            } else if (dice.percent(10) && known.contains("multi")) {
                transaction(dice.below(2));
            } else {
                moves.add(Move.of(dice.below(2), dice.percent(80) ? commands.write() : commands.read()));
            }
        }
        return moves;
    }

    /** In one write: inside it, nobody could tell what was heard from what was queued. */
    private void transaction(int connection) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("MULTI"));
        for (int i = 0; i < 1 + dice.below(4); i++) {
            commands.add(List.of(dice.percent(80) ? this.commands.write() : this.commands.read()));
        }
        if (dice.percent(30)) {
            commands.add(List.of("PUBLISH", dice.pick(EVENT_CHANNELS), "hello"));
        }
        commands.add(List.of(dice.percent(90) ? "EXEC" : "DISCARD"));
        moves.add(new Move(connection, commands, false));
    }

    /** Connection 0 tracks all the time, 1 receives what others redirect to it, the rest change their modes. */
    List<Move> ofTracking(int steps) {
        moves.add(Move.of(0, "HELLO", "3"));
        moves.add(Move.of(0, "CLIENT", "TRACKING", "ON"));
        moves.add(Move.of(1, "SUBSCRIBE", "__redis__:invalidate"));
        moves.add(Move.of(2, "HELLO", "3"));
        moves.add(Move.of(3, "HELLO", "3"));
        while (moves.size() < steps) {
            int connection = dice.percent(10) ? 0 : 2 + dice.below(3);
            if (dice.percent(12)) {
                track(2 + dice.below(3));
            } else if (dice.percent(8)) {
                moves.add(Move.of(connection, "CLIENT", "CACHING", dice.pick("YES", "NO")));
            } else if (dice.percent(6)) {
                moves.add(Move.of(connection, "CLIENT", "TRACKINGINFO"));
            } else if (dice.percent(4)) {
                rare(connection);
            } else if (dice.percent(8) && known.contains("multi")) {
                transaction(connection);
            } else {
                moves.add(Move.of(connection, dice.percent(40) ? commands.write() : commands.read()));
            }
        }
        return moves;
    }

    private void track(int connection) {
        if (dice.percent(40)) {
            moves.add(Move.of(connection, "CLIENT", "TRACKING", "OFF"));
        }
        List<String> words = new ArrayList<>(List.of("CLIENT", "TRACKING", "ON"));
        boolean broadcast = dice.percent(40);
        if (broadcast) {
            words.add("BCAST");
            for (int i = 0; i < dice.below(3); i++) {
                words.addAll(List.of("PREFIX", commands.key()));
            }
        } else {
            words.addAll(dice.pick(List.of(List.<String>of(), List.of("OPTIN"), List.of("OPTOUT"))));
        }
        if (dice.percent(30)) {
            words.add("NOLOOP");
        }
        if (dice.percent(30)) {
            words.addAll(List.of("REDIRECT", "@1"));
        }
        moves.add(new Move(connection, List.of(words), false));
    }

    private void rare(int connection) {
        switch (dice.below(6)) {
            case 0 -> moves.add(Move.of(connection, "FLUSHDB"));
            case 1 -> moves.add(Move.of(connection, "FLUSHALL"));
            case 2 -> moves.add(Move.of(connection, "SELECT", dice.pick("0", "1")));
            case 3 -> {
                moves.add(Move.reconnect(1));
                if (dice.percent(50)) {
                    moves.add(Move.of(1, "HELLO", "3"));
                }
                moves.add(Move.of(1, "SUBSCRIBE", "x"));
            }
            case 4 -> moves.add(Move.of(4, "RESET"));
            default -> moves.add(Move.of(connection, "CLIENT", "TRACKING", "ON", "PREFIX", "a"));
        }
    }
}
