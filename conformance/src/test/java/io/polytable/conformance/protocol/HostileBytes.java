package io.polytable.conformance.protocol;

import io.polytable.conformance.history.Dice;
import io.polytable.conformance.resp.RespConnection;
import java.util.List;

/** Seeded input that is almost, partly or not at all a valid request. */
final class HostileBytes {
    private HostileBytes() {}

    static String of(long seed) {
        Dice dice = new Dice(seed);
        return switch (dice.below(6)) {
            case 0 -> dice.bytes(1 + dice.below(300));
            case 1 -> truncated(dice);
            case 2, 3 -> flipped(dice);
            case 4 -> lied(dice);
            default -> spliced(dice);
        };
    }

    /** Good commands that leave no trace, so that a run does not depend on the one before. */
    static String good(Dice dice) {
        StringBuilder out = new StringBuilder();
        for (int i = 1 + dice.below(5); i > 0; i--) {
            out.append(RespConnection.request(dice.pick(List.of(
                    List.of("PING"),
                    List.of("ECHO", dice.bytes(dice.below(30))),
                    List.of("GET", dice.bytes(dice.below(100))),
                    List.of("STRLEN", "nothing"),
                    List.of("EXISTS", "nothing", dice.bytes(dice.below(20))),
                    List.of("HGETALL", "nothing")))));
        }
        return out.toString();
    }

    private static String truncated(Dice dice) {
        String good = good(dice);
        return good.substring(0, dice.below(good.length()));
    }

    private static String flipped(Dice dice) {
        StringBuilder out = new StringBuilder(good(dice));
        for (int i = 1 + dice.below(4); i > 0; i--) {
            out.setCharAt(dice.below(out.length()), (char) dice.below(256));
        }
        return out.toString();
    }

    /** A wrong count or length. */
    private static String lied(Dice dice) {
        String lie = dice.pick(
                "-1", "0", "1", "7", "100", "1000000", "2147483647", "536870912", "99999999999", "-9", "x", "");
        String type = dice.pick("*", "$");
        return good(dice).replaceFirst("\\Q" + type + "\\E\\d+", "\\" + type + lie);
    }

    private static String spliced(Dice dice) {
        String one = good(dice);
        String other = good(dice);
        return one.substring(0, dice.below(one.length())) + other.substring(dice.below(other.length()));
    }
}
